fn f(n: u64) -> u64 { f(n + 1) + n }
fn main() { println!("{}", f(0)); }
