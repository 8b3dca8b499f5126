import java.util.List;
class App {
    List<String> names() { return Lists.of(1); }
    int size() { return names().length; }
}
