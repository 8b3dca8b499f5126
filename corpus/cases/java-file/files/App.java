class App {
    public static void main(String[] a) throws Exception { new java.io.FileReader("app.properties"); }
}
