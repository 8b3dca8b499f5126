console.log('retrying... ok');
