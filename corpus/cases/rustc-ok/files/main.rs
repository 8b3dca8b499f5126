fn main() {
    let error = 503;
    println!("panicked at nothing: 0 failures");
}
