require('http').get('http://127.0.0.1:' + process.env.CLOSED_PORT);
