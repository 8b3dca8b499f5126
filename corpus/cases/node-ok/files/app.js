console.error('Error: connect ECONNREFUSED 10.0.0.5:6379 (cache disabled)');
console.log('listening; 0 errors');
