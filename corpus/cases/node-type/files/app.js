const user = {};
console.log(user.address.street);
