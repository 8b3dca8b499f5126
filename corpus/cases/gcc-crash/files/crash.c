#include <stdlib.h>
int main(void) { int *p = getenv("NOT_SET") ? malloc(4) : NULL; *p = 1; return 0; }
