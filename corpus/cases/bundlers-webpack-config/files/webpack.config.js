module.exports = { mode: 'production', entri: './a.js' };
