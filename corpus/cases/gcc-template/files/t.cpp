#include <algorithm>
#include <list>
int main() { std::list<int> l{3, 1}; std::sort(l.begin(), l.end()); }
