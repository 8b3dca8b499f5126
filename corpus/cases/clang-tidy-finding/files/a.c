int f(int a) { if (a) ; return a / 2 * 1; }
char g(char *s) { return sizeof(s) / sizeof(*s); }
