extern void start_engine(void);
int main(void) { start_engine(); return 0; }
