struct Job;
fn main() {
    println!("{}", Job);
    let total: u32 = [1u64].iter().sum();
}
