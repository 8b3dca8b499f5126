//! The recovery command: failure recovery under coding agents and pipelines.
fn main() {}
