#include <Python.h>
int sum(int a) { return a + b; }
