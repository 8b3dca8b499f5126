class A { int f() { return "x"; } }
