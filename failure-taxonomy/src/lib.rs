//! What kind of failure is it? Deterministic diagnosis of tool output with evidence.

mod action;
mod ansi;
mod circular;
mod evidence;
pub mod extract;
mod failure;
mod line;
pub mod normalise;
mod observer;
pub mod pack;
pub mod redact;
pub mod scan;
pub mod score;
mod taxonomy;
mod user;
mod verdict;

pub use action::recovery_action;
pub use circular::Circularity;
pub use failure::Failure;
pub use observer::Observer;
pub use pack::{Guard, Indicator, PackName, Strength};
pub use taxonomy::{Taxonomy, TaxonomyBuilder};
pub use user::{PackError, UserIndicator};
pub use verdict::ALGORITHM;
