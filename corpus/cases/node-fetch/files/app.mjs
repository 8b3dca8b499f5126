const r = await fetch(process.env.SERVER + '/reset/items');
console.log(r.status);
