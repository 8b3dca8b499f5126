#include <stdio.h>
int main(int n, char **v) { if (n != 2) { puts("sum.c:2: want 1 argument"); return 1; } return 0; }
