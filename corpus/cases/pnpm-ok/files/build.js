console.log('0 errors, 0 warnings');
