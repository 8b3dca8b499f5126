int level = 1;
int main(void) { return level; }
