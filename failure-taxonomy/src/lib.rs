//! What kind of failure is it? Deterministic diagnosis of tool output with evidence.

mod action;
mod ansi;
mod circular;
mod evidence;
mod failure;
mod observer;
pub mod pack;
pub mod scan;
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
