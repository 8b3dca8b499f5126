fun port(): Int = "80"
fun main() { println(prot()) }
