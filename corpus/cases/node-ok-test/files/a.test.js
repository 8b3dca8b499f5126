const test = require('node:test');
test('fails with ETIMEDOUT when the server stalls', () => {});
