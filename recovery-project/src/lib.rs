//! A project: where it is, its `recovery.toml`, where its state is kept, and which of these are trusted.
//!
//! In: a directory and the command line's options ([`Overrides`]). Out: a [`ProjectContext`], which finds the root,
//! parses the settings once, and opens the service with them. A project may be a stranger's repository: settings that run
//! commands or write elsewhere need the user's consent ([`trust`]), and a state directory that came with the repository is
//! refused. docs/security.md has the whole trust model.
//!
//! | to change | look in |
//! |---|---|
//! | a setting | `settings.rs`, its schema in `settings/schema.rs` |
//! | how a mistake is shown | `settings/source.rs` |
//! | what marks a project, where its state is | `location.rs` |
//! | the user's consent | `trust.rs` |

mod context;
mod error;
mod location;
mod settings;
pub mod trust;

pub use context::{Overrides, ProjectContext};
pub use error::ProjectError;
pub use location::root;
pub use settings::{
    ConstraintSettings, HookSettings, JournalSettings, MissionSettings, NotesSettings, ProjectSettings,
};
