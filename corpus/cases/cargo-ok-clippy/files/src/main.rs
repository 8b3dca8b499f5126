fn main() {
    println!("done, 0 errors");
}
