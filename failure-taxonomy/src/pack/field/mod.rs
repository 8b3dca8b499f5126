//! The field pack: what real tools really print, one table an ecosystem.
//!
//! A tool's rows stand in the table of its ecosystem, its package manager's and its linter's too. What no single tool
//! says has a table by subject: `auth`, `cli`, `data`, `diagnostic`, `exception`, `http`, `network`, `os`, `runner` and
//! `testcase`; `phrase` has the words that merely suggest.
//!
//! A row stands for what a tool always prints, never for what one log says. Order does not matter: which row wins is
//! the verdict's business.

use super::{Indicator, Role, Strength, Table, count, flatten};
use recovery_types::ErrorType;

mod agent;
mod auth;
mod c;
mod ci;
mod cli;
mod client;
mod cloud;
mod container;
mod crash;
mod data;
mod database;
mod diagnostic;
mod distro;
mod document;
mod dotnet;
mod exception;
mod frontend;
mod functional;
mod git;
mod go;
mod http;
mod jvm;
mod language;
mod lint;
mod llm;
mod network;
mod node;
mod ops;
mod os;
mod outcome;
mod php;
mod phrase;
mod python;
mod ruby;
mod runner;
mod rust;
mod store;
mod swift;
mod testcase;
mod toolchain;

/// One table an ecosystem.
const TABLES: &[Table] = &[
    agent::TABLE,
    auth::TABLE,
    c::TABLE,
    ci::TABLE,
    cli::TABLE,
    client::TABLE,
    cloud::TABLE,
    container::TABLE,
    crash::TABLE,
    data::TABLE,
    database::TABLE,
    diagnostic::TABLE,
    distro::TABLE,
    document::TABLE,
    dotnet::TABLE,
    exception::TABLE,
    frontend::TABLE,
    functional::TABLE,
    git::TABLE,
    go::TABLE,
    http::TABLE,
    jvm::TABLE,
    language::TABLE,
    lint::TABLE,
    llm::TABLE,
    network::TABLE,
    node::TABLE,
    ops::TABLE,
    os::TABLE,
    outcome::TABLE,
    php::TABLE,
    phrase::TABLE,
    python::TABLE,
    ruby::TABLE,
    runner::TABLE,
    rust::TABLE,
    store::TABLE,
    swift::TABLE,
    testcase::TABLE,
    toolchain::TABLE,
];

/// Every row of the pack.
pub(crate) static ROWS: [Row; count(TABLES)] = flatten(TABLES);

type Row = Indicator<'static>;
type Text = &'static str;

/// The closing word of a run that failed.
const fn summary(id: Text, text: Text, error: ErrorType, hits: Text, misses: Text) -> Row {
    Indicator::new(id, text, error, Strength::Summary).examples(hits, misses)
}

/// Only a failure of this kind prints it.
const fn decisive(id: Text, text: Text, error: ErrorType, hits: Text, misses: Text) -> Row {
    Indicator::new(id, text, error, Strength::Decisive).examples(hits, misses)
}

/// It points there.
const fn suggestive(id: Text, text: Text, error: ErrorType, hits: Text, misses: Text) -> Row {
    Indicator::new(id, text, error, Strength::Suggestive).examples(hits, misses)
}

/// The closing word of a run that went well.
const fn success(id: Text, text: Text, hits: Text, misses: Text) -> Row {
    Indicator::new(id, text, ErrorType::Other, Strength::Success).examples(hits, misses).aside()
}
