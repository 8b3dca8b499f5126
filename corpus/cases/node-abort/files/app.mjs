const r = await fetch(process.env.SERVER + '/stall/items', { signal: AbortSignal.timeout(1000) });
console.log(r.status);
