//! Records one failure and prints the size of the page about it.

use recovery_engine::{Engine, PackName};
use recovery_report::{JournalReport, html};
use recovery_service::ledger::task_named;
use recovery_service::{Question, Service, Setup};
use recovery_store::MemoryJournal;
use recovery_types::{FailureEvent, Timestamp};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Arc::new(Engine::new(PackName::Field));
    let setup = Setup::new(Arc::clone(&engine), std::env::temp_dir());
    let now = Timestamp::from_ms(1_800_000_000_000);
    let mut service = Service::with_journal(setup, MemoryJournal::default(), now);
    let event = FailureEvent::new(1, "read ECONNRESET");
    service.decide(&task_named("fetch")?, Question::new(event))?;
    let report = JournalReport::of(&service.ledger, &engine, now)?;
    assert_eq!(report.failures, 1);
    println!("{} bytes", html(&report, "example", None)?.len());
    Ok(())
}
