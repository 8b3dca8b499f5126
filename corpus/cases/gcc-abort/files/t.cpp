#include <stdexcept>
int main() { throw std::out_of_range("index 9 of 4"); }
