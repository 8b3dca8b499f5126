module.exports = [{ rules: { 'no-unused-vars': 'error', 'no-undef': 'error', eqeqeq: 'error' } }];
