require('axios').get(process.env.SERVER + '/503/items').catch((e) => { console.error(`${e.name}: ${e.message}`); process.exit(1); });
