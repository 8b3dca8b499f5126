int level = 2;
