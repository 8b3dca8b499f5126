async function pay() { throw new Error('card declined'); }
pay();
