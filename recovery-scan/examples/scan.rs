//! Writes two logs to a scratch directory, scans it and prints what failed.

use failure_taxonomy::Taxonomy;
use recovery_scan::{LogScanner, ScanSummary, logs};
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("fetch.log"), "curl: (7) Failed to connect to mirror port 443\n")?;
    std::fs::write(dir.path().join("test.log"), "5 passed in 0.1s\n")?;
    let stop = AtomicBool::new(false);
    let (found, unreadable) = logs::below(&[dir.path().to_owned()], &stop);
    assert!(unreadable.is_empty());
    let mut summary = ScanSummary::new(found.len(), None);
    LogScanner::new(Taxonomy::field()).scan(
        &found,
        &stop,
        |_bytes_on_disk| {},
        |result| {
            let log = result.map_err(|unreadable| std::io::Error::other(unreadable.error))?;
            if let Some(error_type) = log.error_type {
                println!("{}: {error_type}", log.file);
            }
            summary.add(&log);
            Ok::<(), std::io::Error>(())
        },
    )?;
    assert_eq!((summary.read, summary.failures), (2, 1));
    Ok(())
}
