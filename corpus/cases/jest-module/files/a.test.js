const db = require('./database');
test('x', () => db.open());
