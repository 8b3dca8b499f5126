//! Durable inserts of 1 KiB rows into a bare SQLite file, one commit each: what the journal is compared with.
//!
//! `cargo run --release -p recovery-store --example plain_inserts -- FILE ROWS` prints how many per second.

use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(rows)) = (args.next(), args.next()) else { return Err("FILE ROWS".into()) };
    let rows: u32 = rows.parse()?;
    let conn = rusqlite::Connection::open(file)?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)",
    )?;
    let body = "x".repeat(1024);
    let began = Instant::now();
    for _ in 0..rows {
        conn.prepare_cached("INSERT INTO rows (body) VALUES (?1)")?.execute([&body])?;
    }
    println!("{:.1}", f64::from(rows) / began.elapsed().as_secs_f64());
    Ok(())
}
