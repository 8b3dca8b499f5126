class App {
    static void Main() {
        int limit = 429
    }
}
