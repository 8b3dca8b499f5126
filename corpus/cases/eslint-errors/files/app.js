var unused = 1;
if (total == 2) { start(); }
