char table[400000] = {1};
