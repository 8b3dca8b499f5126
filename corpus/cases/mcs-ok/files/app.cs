class App { static void Main() { int error; } }
