fn take(v: Vec<u8>) {}
fn main() {
    let v = vec![1];
    take(v);
    println!("{v:?}");
}
