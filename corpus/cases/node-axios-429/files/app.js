require('axios').get(process.env.SERVER + '/429/items').catch((e) => { console.error(e.message, e.response.data); process.exit(1); });
