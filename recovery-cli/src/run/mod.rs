//! `recovery run`: any command, under the ladder.
//!
//! | to change | look in |
//! |---|---|
//! | what each level runs, playbooks, the ladder's numbers under `run` | [`plan`] |
//! | the loop: run, decide, wait, climb | [`driver`]; pure but for its [`world`], so it is tested in virtual time |
//! | our own lines | [`notice`] |
//! | what a replan command is told | [`story`] |
//! | children: groups, limits, signals | [`process`], [`family`], [`signals`] |
//! | two runs at once, what a killed run left running | [`hold`] |
//! | their output and input | [`pump`], [`watch`], [`terminal`] |

pub(crate) mod driver;
mod family;
pub(crate) mod hold;
pub(crate) mod notice;
pub(crate) mod plan;
pub(crate) mod process;
mod pump;
mod signals;
pub(crate) mod span;
pub(crate) mod story;
pub(crate) mod terminal;
mod watch;
pub(crate) mod world;
