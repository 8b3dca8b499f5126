int f(int a, int b) { int unused; if (a = b) return 1; return 0; }
