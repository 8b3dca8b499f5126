const assert = require('assert');
describe('cart', () => {
  it('sums', () => assert.deepStrictEqual({ a: 1 }, { a: 2 }));
  it('handles errors', () => {});
});
