//! What kind of failure is it? Deterministic diagnosis of tool output with evidence.
//!
//! ```
//! use failure_taxonomy::{Failure, Taxonomy};
//! use recovery_types::ErrorType;
//! let taxonomy = Taxonomy::field();
//! let text = b"Collecting left-pad\nERROR: No matching distribution found for left-pad\n";
//! let diagnosis = taxonomy.diagnose(&Failure::new(text).with_exit_code(1));
//! assert_eq!(diagnosis.error_type, ErrorType::MissingDependency);
//! assert_eq!(diagnosis.indicators[0].line, 2);
//! ```
//!
//! Two packs of indicators, same engine: [`PackName::Documented`] has exactly the tables of the failure-type document,
//! [`PackName::Field`] what real tools print. A pack is data: `packs/*.toml`, one row per [`Indicator`], one file per
//! ecosystem, every row with a line that it must match.
//!
//! # How a text is diagnosed
//!
//! 1. `packs/*.toml` are constant tables by the time the program starts (`build/`, [`pack`]); a user's rows are added to
//!    them at run time.
//! 2. [`Taxonomy::diagnose`] takes the whole text, [`Observer`] takes it in pieces. Both hand it to `evidence`, which splits
//!    long texts into a head, skimmed parts and a tail.
//! 3. [`scan`] finds every occurrence of every row's text in a part, or of something rarer that the row's pattern requires.
//! 4. `evidence::judge` decides line by line which occurrences count: the row's guards, its pattern (`pack::pattern`), and
//!    whether the line reports, warns or quotes (`evidence::context`). The first and last position of each row remain.
//! 5. `verdict` clears what a later success outdates, then evaluates a table of steps; the first step that picks a row
//!    decides the error type. Its confidence comes from a measured table. [`algorithm`] explains this in words.
//! 6. [`normalise`] makes the fingerprint that equals that of the same failure with other numbers; [`Circularity`] compares
//!    approaches.
//! 7. The answer is a [`Diagnosis`] with the indicators that it rests on. Its places, problems and
//!    waits are empty here; `recovery-engine` fills them in from `problem-matcher`.

mod action;
mod circular;
mod evidence;
mod failure;
mod matrix_words;
pub mod normalise;
mod observer;
pub mod pack;
pub mod scan;
mod taxonomy;
mod verdict;

pub use action::recovery_action;
pub use circular::Circularity;
pub use evidence::ends;
pub use failure::Failure;
pub use observer::Observer;
pub use pack::format::{Fragment, Fragments, UserIndicator};
pub use pack::user::PackError;
pub use pack::{Guard, Indicator, PackName, Role, RowSource, Strength};
pub(crate) use recovery_types::ansi;
pub use recovery_types::{Diagnosis, ErrorType, FailureType, IndicatorHit, Permille, RecoveryAction, RecoveryVerb};
pub use taxonomy::{Taxonomy, TaxonomyBuilder};
pub use verdict::{Agreement, Support, VerdictStepId, algorithm};
