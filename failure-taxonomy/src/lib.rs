//! What kind of failure is it? Deterministic diagnosis of tool output with evidence.
//!
//! ```
//! use failure_taxonomy::{Failure, Taxonomy};
//! use recovery_types::ErrorType;
//! let taxonomy = Taxonomy::field();
//! let text = b"Collecting left-pad\nERROR: No matching distribution found for left-pad\n";
//! let diagnosis = taxonomy.diagnose(&Failure { text, exit_code: Some(1), ..Failure::default() });
//! assert_eq!(diagnosis.error_type, ErrorType::MissingDependency);
//! assert_eq!(diagnosis.indicators[0].line, 2);
//! ```
//!
//! Two packs of indicators, same engine: [`PackName::Documented`] has exactly the tables of the failure-type document,
//! [`PackName::Field`] what real tools really print. A pack is data: one row an indicator ([`Indicator`]), one table an
//! ecosystem, every row with a line that it must hit and one that it must not.
//!
//! [`algorithm`] says how the indicators that were found become one answer.

mod action;
mod circular;
mod evidence;
pub mod extract;
mod failure;
pub mod normalise;
mod observer;
pub mod pack;
pub mod scan;
pub mod score;
mod taxonomy;
mod verdict;

pub use action::recovery_action;
pub use circular::Circularity;
pub use failure::Failure;
pub use observer::Observer;
pub use pack::format::{Fragment, Fragments, UserIndicator};
pub use pack::user::PackError;
pub use pack::{Guard, Indicator, PackName, Role, RowSource, Strength};
pub(crate) use recovery_types::ansi;
pub use taxonomy::{Taxonomy, TaxonomyBuilder};
pub use verdict::{Agreement, StepId, Support, algorithm};
