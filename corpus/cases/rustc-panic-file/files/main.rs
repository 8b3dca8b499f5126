fn main() {
    let text = std::fs::read_to_string("settings.toml").unwrap();
    println!("{text}");
}
