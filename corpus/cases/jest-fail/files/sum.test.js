test('adds', () => { expect(1 + 1).toBe(3); });
test('rejects on ECONNRESET', () => {});
