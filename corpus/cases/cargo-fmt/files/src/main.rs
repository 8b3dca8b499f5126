fn main(){ let a=1;println!("{}",a) }
