//! Reads its input and prints how long it is; with an argument, it also appends to that file and waits for the disk.
//!
//! `cargo xtask bench` compiles it and measures a hook against it.

fn main() {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut text).unwrap();
    if let Some(path) = std::env::args().nth(1) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, &text[..1024]).unwrap();
        file.sync_all().unwrap();
    }
    println!("{}", text.len());
}
