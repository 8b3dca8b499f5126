console.log(databaseUrl);
