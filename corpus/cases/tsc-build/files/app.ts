const port: number = 'eighty';
console.log(port);
