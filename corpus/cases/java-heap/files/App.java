import java.util.*;
class App {
    public static void main(String[] a) {
        List<byte[]> all = new ArrayList<>();
        while (true) all.add(new byte[1 << 20]);
    }
}
