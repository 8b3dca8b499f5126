class App {
    public static void main(String[] a) throws Exception {
        var s = new java.net.Socket("127.0.0.1", Integer.parseInt(a[0]));
        s.setSoTimeout(500);
        s.getInputStream().read();
    }
}
