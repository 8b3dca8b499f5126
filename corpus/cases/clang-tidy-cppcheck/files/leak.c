#include <stdlib.h>
int f(void) { char *p = malloc(10); p[11] = 0; return 0; }
