class App {
    public static void main(String[] a) throws Exception { new java.net.Socket("127.0.0.1", Integer.parseInt(a[0])); }
}
