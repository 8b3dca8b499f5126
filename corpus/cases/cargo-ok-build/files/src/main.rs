fn main() {
    let error_count = 0;
    println!("0 failed");
}
