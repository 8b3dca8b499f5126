import { test } from 'vitest';
import { open } from './database.js';
test('x', () => open());
