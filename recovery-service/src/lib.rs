//! Decide and record: the one place that joins the engine, the journal and the notes that people read. The command
//! line, the hooks and the MCP server are adapters of this crate.
//!
//! | to change | look in |
//! |---|---|
//! | how a decision is made durable, and how a task's state is read back | [`ledger`] |
//! | `issues.md` and `learnings.md` | [`notes`] |

pub mod ledger;
pub mod notes;
