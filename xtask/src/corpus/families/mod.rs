//! The cases, one file per tool family.

mod native;
mod net;
mod shell;
mod vcs;

use super::case::{Case, Tool};

/// All tools, in the order of the corpus file.
const TOOLS: &[&[Tool]] = &[net::TOOLS, shell::TOOLS, vcs::TOOLS, native::TOOLS];

/// All cases with their tools.
pub fn all() -> impl Iterator<Item = (&'static Tool, &'static Case)> {
    TOOLS.iter().copied().flatten().flat_map(|tool| tool.cases.iter().map(move |case| (tool, case)))
}
