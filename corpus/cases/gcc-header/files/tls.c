#include <no_such_library/tls.h>
int main(void) { return 0; }
