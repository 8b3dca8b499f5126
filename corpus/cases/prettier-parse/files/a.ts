let x: = 3;
