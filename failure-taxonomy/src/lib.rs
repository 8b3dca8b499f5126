//! What kind of failure is it? Deterministic diagnosis of tool output with evidence.

pub mod scan;
