fn main() {
    let limit = 429
    println!("{limit}");
}
