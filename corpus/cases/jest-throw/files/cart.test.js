const { total } = require('./cart');
test('empty cart', () => { expect(total({})).toBe(0); });
