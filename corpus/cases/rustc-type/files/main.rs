fn port() -> u16 {
    "8080"
}
fn main() {
    let p: String = port();
}
