//! The cases, one file per tool family.

mod compiled;
mod data;
mod databases;
mod infra;
mod js_checks;
mod jvm;
mod llm;
mod native;
mod net;
mod node;
mod python;
mod rust;
mod scripting;
mod shell;
mod vcs;

use super::case::{Case, Tool};

/// All tools, in the order of the corpus file.
const FAMILIES: &[&[Tool]] = &[
    net::TOOLS,
    shell::TOOLS,
    vcs::TOOLS,
    native::TOOLS,
    rust::TOOLS,
    python::TOOLS,
    node::TOOLS,
    js_checks::TOOLS,
    jvm::TOOLS,
    scripting::TOOLS,
    compiled::TOOLS,
    data::TOOLS,
    databases::TOOLS,
    infra::TOOLS,
    llm::TOOLS,
];

/// All cases with their tools.
pub fn all() -> impl Iterator<Item = (&'static Tool, &'static Case)> {
    FAMILIES.iter().copied().flatten().flat_map(|tool| tool.cases.iter().map(move |case| (tool, case)))
}
