mod config;
fn main() { config::load(); }
