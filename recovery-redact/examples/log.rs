//! Takes the secrets out of a log.

use recovery_redact::redact;

fn main() {
    let log = "connecting to postgres://ada:s3cr3t@db/app\nDB_PASSWORD=hunter2\nconnection refused";
    let clean = redact(log);
    assert!(!clean.contains("s3cr3t") && !clean.contains("hunter2") && clean.ends_with("connection refused"));
    println!("{clean}");
}
