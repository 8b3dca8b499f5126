class App {
    static void load() { throw new IllegalStateException("no region set"); }
    public static void main(String[] a) {
        try { load(); } catch (RuntimeException e) { throw new RuntimeException("startup failed", e); }
    }
}
