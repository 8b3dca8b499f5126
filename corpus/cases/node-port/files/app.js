require('http').createServer().listen(Number(process.env.HTTP_PORT), '127.0.0.1');
