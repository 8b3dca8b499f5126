//! Prints lines of a kind until there are enough bytes; about as fast as a program that makes its lines can be.
//!
//! `cargo xtask bench --flood` compiles it and measures how fast its output passes through `recovery run`.

use std::io::Write;

fn word(n: u64) -> String {
    (0..8).map(|i| char::from(b'a' + (n >> (4 * i) & 15) as u8)).collect()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes: u64 = args[2].parse().unwrap();
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let (mut written, mut i) = (0, 0u64);
    let mut line = Vec::new();
    while written < bytes {
        line.clear();
        let (a, b) = (i % 997, i % 61);
        match (args[1].as_str(), i % 4) {
            ("plain", _) => writeln!(line, "[{i:08}] packed unit{a}.o in {b} ms, nothing to report here"),
            ("same", _) => writeln!(line, "src/main.c:12:5: warning: unused variable 'x' [-Wunused-variable]"),
            ("warning", _) => {
                writeln!(line, "src/unit{a}.c:{b}:5: warning: unused variable 'x{i}' [-Wunused-variable]")
            }
            ("binary", _) => line.write_all(&i.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes().repeat(8)),
            ("endless", _) => write!(line, "token {i} not found, "),
            ("count", _) => writeln!(line, "{i}"),
            ("words", _) => writeln!(line, "{}: error: '{}' undeclared", word(i), word(i.wrapping_mul(0x9E37_79B9))),
            ("error", _) => writeln!(line, "src/unit{a}.c:{b}:5: error: expected ';' before 'x{i}'"),
            (_, 0) => writeln!(line, "src/unit{a}.c:{b}:5: error: 'x{i}' undeclared (first use in this function)"),
            (_, 1) => writeln!(line, "2024-05-01T10:00:{b:02}Z WARN pool{a}: connection refused, retrying in {b} s"),
            (_, 2) => writeln!(line, "FAILED tests/test_{a}.py::test_{i} - AssertionError: assert {a} == {b}"),
            (_, _) => writeln!(line, "[INFO] module {a} built in {b} s"),
        }
        .unwrap();
        out.write_all(&line).unwrap();
        (written, i) = (written + line.len() as u64, i + 1);
    }
}
