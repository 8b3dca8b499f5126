class App {
    public static void main(String[] a) {
        int limit = 429
        System.out.println(limit);
    }
}
