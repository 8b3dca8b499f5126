#include <stdlib.h>
int main(int n, char **v) { char *p = malloc(8); p[8 + n] = 1; free(p); return 0; }
