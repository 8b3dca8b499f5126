import java.util.*;
class App {
    public static void main(String[] a) {
        List raw = new ArrayList();
        try { throw new java.io.IOException("Connection reset"); } catch (java.io.IOException e) { System.out.println("recovered from " + e); }
    }
}
