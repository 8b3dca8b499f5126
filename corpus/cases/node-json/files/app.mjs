const r = await fetch(process.env.SERVER + '/html/items');
console.log(await r.json());
