//! Structural gaps: what is not implemented yet according to a compiler or a runtime.

use crate::step::pattern::{Pattern, names_in};

/// Messages that name what is not implemented. The captured text may name several things.
const GAPS: &[&str] = &[
    "not all trait items implemented, missing: {}",
    "missing the following properties from type '{}': {}",
    "Can't instantiate abstract class {w} with abstract methods {}",
    "Can't instantiate abstract class {w} with abstract method {}",
    "Can't instantiate abstract class {w} without an implementation for abstract methods {}",
    "Can't instantiate abstract class {w} without an implementation for abstract method {}",
    "does not override abstract method {w} in",
    "(missing method {w})",
    "does not implement interface member '{}'",
    "does not implement inherited abstract member '{}'",
    "undefined reference to `{w}'",
    "not yet implemented: {}",
    "not implemented: {}",
    "NotImplementedError: {}",
];

/// What is to be implemented, each as a short task in the order it was printed; empty where nothing is reported.
#[must_use]
pub fn gaps(error: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for pattern in GAPS {
        for hit in Pattern::new(pattern).all(error) {
            let Some(last) = hit.captures.last() else { continue };
            found.extend(names_in(last).into_iter().map(|name| (hit.offset, name)));
        }
    }
    found.sort_by_key(|(offset, _)| *offset);
    let mut tasks: Vec<String> = Vec::new();
    for (_, name) in found {
        let task = format!("implement `{name}`");
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    }
    tasks
}
