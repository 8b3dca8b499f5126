//! The JSON Schema of a line of the journal's export.
//!
//! `recovery-store` writes the lines without knowing what a body means; the types here describe both together, for `recovery
//! schema journal-record` and for programs that read an export. They are never built.

/// One record of the journal.
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct JournalRecord {
    /// The version of the format: 1.
    v: u32,
    /// The task.
    task: String,
    /// The number within the task, from 1.
    seq: u64,
    /// When it was made.
    at: recovery_types::Timestamp,
    /// `event`, `decision`, `success`, `resolve`, `reset`, `checkpoint`, `rollback`, `import` or `note`.
    kind: String,
    /// The same event delivered again has the same id.
    content_id: Option<String>,
    /// What happened. A note may hold anything else.
    body: Body,
    /// The hash of the record before it.
    prev: String,
    /// SHA-256 over everything above.
    hash: String,
}

/// What a record holds.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Body {
    /// What happened to the task.
    Entry(Box<recovery_engine::Entry>),
    /// Something that changes no state: a note, an import, another system's checkpoint.
    Other(serde_json::Map<String, serde_json::Value>),
}
