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
pub use failure_taxonomy::{Fragments, UserIndicator};
pub use location::root;
pub use problem_matcher::Definition;
pub use recovery_engine::{BreakerPolicy, ClassifierConfig, Engine, PackName, Policy, RepairConfig};
pub use recovery_run::playbook::Playbook;
pub use recovery_service::{NoteError, Service, Setup};
pub use recovery_store::Store;
pub use settings::{
    ConstraintSettings, HookSettings, JournalSettings, MissionSettings, NotesSettings, ProjectSettings,
};
