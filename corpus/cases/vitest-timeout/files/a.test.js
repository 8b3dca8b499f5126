import { test } from 'vitest';
test('waits', async () => { await new Promise(() => {}); }, 200);
