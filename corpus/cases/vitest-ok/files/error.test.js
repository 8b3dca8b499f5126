import { test } from 'vitest';
test('fails with 429', () => {});
