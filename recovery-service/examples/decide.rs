//! Decides about one failure, records it in memory, and reads the task's status back.

use recovery_engine::{Engine, PackName};
use recovery_service::ledger::task_named;
use recovery_service::{Question, Service, ServiceError, Setup};
use recovery_store::MemoryJournal;
use recovery_types::{FailureEvent, Timestamp};

fn main() -> Result<(), ServiceError> {
    let setup = Setup::new(Engine::new(PackName::Field).into(), std::env::temp_dir());
    let mut service = Service::with_journal(setup, MemoryJournal::default(), Timestamp::from_ms(0));
    let task = task_named("login")?;
    let event = FailureEvent::new(1, "Error: read ECONNRESET");
    println!("{}", service.decide(&task, Question::new(event))?.decision.next.sentence);
    println!("failures: {}", service.status(&task)?.map_or(0, |status| status.failures));
    Ok(())
}
