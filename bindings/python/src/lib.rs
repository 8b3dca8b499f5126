//! The recovery engine as a Python extension module.
//!
//! Every answer crosses the border as the JSON that the command line prints, so that both are the same by construction;
//! `python/recovery/` gives it types. The interpreter is released while the engine works. A new function is added here,
//! in `python/recovery/_native.pyi`, and as a typed wrapper in `python/recovery/__init__.py`.

use pyo3::exceptions::{PyOSError, PyRuntimeWarning, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use recovery_engine::{Admitted, Engine, PackName, TaskState, admit};
use recovery_service::answer::FailureAnswer;
use recovery_service::ledger::task_named;
use recovery_service::{Accept, Classified, Clock, Question, Service as Decider, Setup, SystemClock, clock, json};
use recovery_store::{Spool, Store};
use recovery_types::{FailureEvent, Problem};
use serde::Serialize;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The answer of `problems`.
#[derive(Serialize)]
struct Problems {
    problems: Vec<Problem>,
    root: Option<usize>,
}

fn engine() -> &'static Arc<Engine> {
    static ENGINE: OnceLock<Arc<Engine>> = OnceLock::new();
    ENGINE.get_or_init(|| Arc::new(Engine::new(PackName::Field)))
}

fn to_json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An event in any spelling that the command line accepts; a field that nothing reads is a warning.
fn event(py: Python<'_>, text: &str) -> PyResult<Admitted<FailureEvent>> {
    static ACCEPT: OnceLock<Accept<FailureEvent>> = OnceLock::new();
    let (mut event, unread) = json::accepted(ACCEPT.get_or_init(Accept::default), text)
        .map_err(|error| PyValueError::new_err(format!("not a failure event: {error}")))?;
    for warning in unread {
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &c_string(&warning), 2)?;
    }
    event.zone = event.zone.or_else(clock::zone);
    Ok(admit(event))
}

/// Classifies one failure event, given as JSON.
#[pyfunction]
fn classify(py: Python<'_>, event_json: &str) -> PyResult<String> {
    let event = event(py, event_json)?;
    let engine = engine();
    to_json(&py.detach(|| Classified::of(engine, &event, engine.assess(&event, SystemClock.now()))))
}

/// What `recovery classify` prints about an event, on one line and without the evidence.
#[pyfunction]
fn describe(py: Python<'_>, event_json: &str) -> PyResult<String> {
    let event = event(py, event_json)?;
    Ok(py.detach(|| in_words(engine(), &event)))
}

fn in_words(engine: &Engine, event: &Admitted<FailureEvent>) -> String {
    let now = SystemClock.now();
    let Classified { failure, diagnosis, .. } = Classified::of(engine, event, engine.assess(event, now));
    let Some(diagnosis) = diagnosis else {
        let words = if failure { "the command worked, the judge failed the work" } else { "no failure seen" };
        return words.to_owned();
    };
    let decision = engine.decide("classify", &TaskState::default(), event, Some(&diagnosis), now);
    let words = FailureAnswer::of(&diagnosis, decision.repair.as_ref(), &event.stderr_tail, now);
    let last = words.last.map_or(String::new(), |last| format!(": {last}"));
    format!("{}{last}; next: {}", words.what, words.next)
}

/// The problems that tools reported in a text.
#[pyfunction]
fn problems(py: Python<'_>, text: &str) -> PyResult<String> {
    let report = py.detach(|| problem_matcher::find(text));
    to_json(&Problems { problems: report.problems, root: report.root })
}

/// A text without secrets.
#[pyfunction]
fn redact(py: Python<'_>, text: &str) -> String {
    py.detach(|| recovery_redact::redact(text).into_owned())
}

/// Decides and records, over one journal.
#[pyclass(frozen)]
struct Service {
    decider: Mutex<Decider>,
}

impl Service {
    fn decider(&self) -> MutexGuard<'_, Decider> {
        // A panic inside leaves nothing half done: every change is one transaction of the journal.
        self.decider.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Service {
    /// Over the journal in `state_dir`, or over the one at `store` with the notes in `state_dir`.
    #[new]
    fn new(py: Python<'_>, state_dir: PathBuf, store: Option<&str>) -> PyResult<Self> {
        let mut setup = Setup::new(engine().clone(), state_dir);
        if let Some(address) = store {
            let store = Store::parse(address).map_err(|error| PyValueError::new_err(error.to_string()))?;
            setup.store = store.with_spool(Spool::new(setup.notes_dir.clone(), warn));
        }
        let decider = py.detach(|| Decider::open(setup)).map_err(os_error)?;
        Ok(Self { decider: Mutex::new(decider) })
    }

    /// Decides about one event of a task, given as JSON, and records it.
    fn decide(&self, py: Python<'_>, task: &str, event_json: &str) -> PyResult<String> {
        let task = task_named(task).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let question = Question { event: event(py, event_json)?, observed: None, head: None };
        let recorded = py.detach(|| self.decider().decide(&task, question)).map_err(os_error)?;
        to_json(&recorded)
    }

    /// The state of a task; `null` for one that the journal does not know.
    fn status(&self, py: Python<'_>, task: &str) -> PyResult<String> {
        let task = task_named(task).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let status = py.detach(|| self.decider().status(&task)).map_err(os_error)?;
        to_json(&status)
    }

    /// A person's word that a task is done with.
    fn resolve(&self, py: Python<'_>, task: &str, reason: &str) -> PyResult<()> {
        let task = task_named(task).map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.detach(|| self.decider().resolve(&task, reason)).map(|_| ()).map_err(os_error)
    }

    /// The task starts afresh.
    fn reset(&self, py: Python<'_>, task: &str, reason: &str) -> PyResult<()> {
        let task = task_named(task).map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.detach(|| self.decider().reset(&task, reason)).map(|_| ()).map_err(os_error)
    }
}

/// Passes on what somebody should know although the call goes on.
fn warn(message: &str) {
    let message = c_string(message);
    // Where warnings are errors, this one is still none: the call it belongs to has worked.
    Python::attach(|py| {
        let _ = PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1);
    });
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

fn os_error(error: impl std::fmt::Display) -> PyErr {
    PyOSError::new_err(error.to_string())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(classify, module)?)?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add_function(wrap_pyfunction!(problems, module)?)?;
    module.add_function(wrap_pyfunction!(redact, module)?)?;
    module.add_class::<Service>()
}
