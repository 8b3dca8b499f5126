using System;
class App {
    static void Main() {
        string s = 3;
        Console.WriteLin(total);
    }
}
