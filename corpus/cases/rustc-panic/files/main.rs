fn main() {
    let v: Vec<i32> = Vec::new();
    let index = std::env::args().count() + 4;
    println!("{}", v[index]);
}
