//! How far does a failure reach? From "try again" (F1) to "the plan is wrong" (F5), by nine ordered rules.
//!
//! The first rule that fires decides; [`RULES`] is the whole table. The answer carries its evidence, a confidence and
//! the recommended action. No model is called, nothing is read or written, and the same input gives the same bytes.
//!
//! ```
//! use classifier_core::{Config, Facts, classify};
//! use recovery_types::{Action, Class, FailureEvent};
//!
//! let event = FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..Default::default() };
//! let answer = classify(&event, &Facts::from_patterns(&event), &Config::default()).expect("exit code 1 is a failure");
//! assert_eq!(answer.class, Class::F1);
//! assert_eq!(answer.recommended_action, Action::RetryWithBackoff);
//! assert_eq!(answer.evidence, ["stderr matches ECONNRESET"]);
//!
//! let fine = FailureEvent { exit_code: 0, ..event };
//! assert_eq!(classify(&fine, &Facts::from_patterns(&fine), &Config::default()), None);
//! ```
//!
//! What the rules read beyond the event are [`Facts`]: whether the failure is transient, whether it is an error in the
//! code, and hashes to recognise repeated failures. A caller with a better reading of the output than six patterns fills
//! them itself; alone, [`Facts::from_patterns`] does.
//!
//! The history is read as far back as the caller hands it over; ten entries are plenty.
//!
//! | to change | look in |
//! |---|---|
//! | a rule, its order, class or base confidence | `rules.rs`, and its page in `pages.rs` |
//! | when a rule fires | `predicates.rs`; for the mission's constraints `mission.rs` |
//! | what makes an answer surer or less sure | `confidence.rs` |
//! | what is recommended, replan budgets | `action.rs` |
//! | how evidence reads | `evidence.rs` |

mod action;
mod case;
mod classify;
mod confidence;
mod deviation;
mod evidence;
mod facts;
mod history;
mod mission;
mod pages;
mod predicates;
mod rules;

pub use action::replan_budget;
pub use classify::{Config, classify};
pub use confidence::{CORROBORATIONS, Corroboration, is_below_gate};
pub use facts::{Facts, first_class, hash_alone};
pub use history::{EntryKind, failed_attempts, kind as entry_kind, own_attempts};
pub use mission::{UnreadablePattern, touched_features, unreadable_patterns};
pub use pages::RulePage;
pub use recovery_types::{
    Action, Ancestor, Class, Classification, Diagnosis, ErrorType, FailureEvent, HistoryEntry, Permille, RepoPath, Tier,
};
pub use rules::{RULES, Rule, RuleId};
