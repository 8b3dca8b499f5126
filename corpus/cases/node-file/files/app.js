require('fs').readFileSync('config/prod.json');
