int f(void) { int error; return 0; }
