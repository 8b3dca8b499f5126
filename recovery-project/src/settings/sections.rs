//! The tables of `recovery.toml` that belong to no other crate: `[mission]`, `[journal]`, `[hook]` and `[memory]`.
//!
//! In: TOML. Out: plain values with defaults. A new table is a type here and a field of
//! [`ProjectSettings`](super::ProjectSettings).

use recovery_types::{Ancestor, Constraint};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// `[mission]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Mission")]
pub struct MissionSettings {
    /// Its id.
    pub id: Option<String>,
    /// What the work is for, for people.
    pub intent: Option<String>,
    /// Patterns that must not show up in the evidence.
    pub forbid: Vec<String>,
    /// Path globs that must not be touched.
    pub protect: Vec<String>,
    /// The same with a name of its own for each, which the evidence shows.
    pub constraints: Vec<ConstraintSettings>,
    /// Which paths belong to which feature.
    pub features: BTreeMap<String, Vec<String>>,
}

/// `[[mission.constraints]]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MissionConstraint")]
pub struct ConstraintSettings {
    /// Its name, shown as evidence.
    pub id: String,
    /// Patterns that must not show up in the evidence.
    #[serde(default)]
    pub forbid: Vec<String>,
    /// Path globs that must not be touched.
    #[serde(default)]
    pub protect: Vec<String>,
}

impl MissionSettings {
    /// The mission as an event carries it.
    pub(super) fn as_ancestor(&self) -> Ancestor {
        let own = Constraint { id: "mission".to_owned(), forbid: self.forbid.clone(), protect: self.protect.clone() };
        let named = self.constraints.iter().map(|ConstraintSettings { id, forbid, protect }| Constraint {
            id: id.clone(),
            forbid: forbid.clone(),
            protect: protect.clone(),
        });
        let has_own = !own.forbid.is_empty() || !own.protect.is_empty();
        Ancestor {
            id: self.id.clone(),
            intent: self.intent.clone(),
            constraints: named.chain(has_own.then_some(own)).collect(),
            features: self.features.clone(),
        }
    }
}

/// `[journal]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Journal")]
pub struct JournalSettings {
    /// `journal archive` moves closed tasks that are older than this many days.
    pub keep_days: Option<u32>,
}

/// `[hook]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Hook")]
pub struct HookSettings {
    /// The task that everything belongs to [default: the session and the command].
    pub task: Option<String>,
    /// For how long an action that keeps failing in the same way is denied.
    pub deny_minutes: u64,
}

impl Default for HookSettings {
    fn default() -> Self {
        Self { task: None, deny_minutes: 10 }
    }
}

/// `[memory]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Memory")]
pub struct NotesSettings {
    /// Where issues.md and learnings.md are kept, from the project root.
    pub dir: Option<PathBuf>,
}
