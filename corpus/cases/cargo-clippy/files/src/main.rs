fn main() {
    let v = vec![1, 2];
    for i in 0..v.len() {
        println!("{}", v[i]);
    }
    return ();
}
