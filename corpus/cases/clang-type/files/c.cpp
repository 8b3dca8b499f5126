#include <string>
struct Job { int id; };
int main() { Job j{1}; std::string s = j; return j.name; }
