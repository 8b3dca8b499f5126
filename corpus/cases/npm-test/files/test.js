console.log('  ✓ parses');
console.log('  1) formats dates');
console.log('\n  1 passing\n  1 failing\n');
console.log('  1) formats dates:\n     AssertionError: expected 2024-01-02 to equal 2024-01-01');
process.exit(1);
