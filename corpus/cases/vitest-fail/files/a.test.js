import { expect, test } from 'vitest';
test('slug', () => { expect('A b').toBe('a-b'); });
test('retry', () => {});
