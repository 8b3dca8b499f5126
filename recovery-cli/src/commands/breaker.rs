//! `recovery breaker`: lists the circuit breakers of hosts and services that tasks share, and resets them.
//!
//! In: the store's breakers. Out: a row per resource with its state and the end of its cooldown, by the store's clock. The
//! state machine is `escalation/src/breaker.rs`, its numbers are `[breaker]` in recovery.toml.

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::{clock, exit, output};
use recovery_engine::Breaker;
use recovery_store::DEFAULT_WAIT;
use recovery_types::time::span;
use recovery_types::{CooldownState, Timestamp};
use serde::Serialize;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "A server's stated wait, or failures of several tasks, give a resource a rest: whoever uses it waits. \
    [breaker] in recovery.toml has the numbers.\n\nExamples:\n  recovery breaker list\n  \
    recovery breaker reset registry:registry.npmjs.org\n  recovery breaker reset --all"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(clap::Subcommand)]
enum Subcommand {
    /// List the resources that are known to have failed
    #[command(after_help = "Examples:\n  recovery breaker list")]
    List,
    /// Let every task use a resource again; exit code 1 where nothing was known of it
    #[command(after_help = "Examples:\n  recovery breaker reset registry:registry.npmjs.org")]
    Reset {
        /// The resource, as `list` names it
        #[arg(required_unless_present = "all")]
        resource: Option<String>,
        /// Every resource
        #[arg(long, conflicts_with = "resource")]
        all: bool,
    },
}

#[derive(Serialize)]
struct Listed {
    resource: String,
    state: CooldownState,
    /// Until when everybody waits.
    until: Option<Timestamp>,
    /// Failures of the present window.
    failures: usize,
    /// How often it opened since something last worked.
    openings: u32,
    /// The task that tries while it is half open.
    trying: Option<String>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    match &args.command {
        Subcommand::List => list(global),
        Subcommand::Reset { resource, .. } => reset(global, resource.as_deref()),
    }
}

struct Known {
    /// None where nothing is recorded yet; nothing is made then.
    ledger: Option<Ledger>,
    now: Timestamp,
    breakers: Vec<(String, Breaker)>,
}

fn known(global: &Global) -> anyhow::Result<Known> {
    let (store, now) = (global.store()?, clock::now());
    if Ledger::open_existing(&store, DEFAULT_WAIT)?.is_none() {
        return Ok(Known { ledger: None, now, breakers: Vec::new() });
    }
    let mut ledger = Ledger::open(&store, DEFAULT_WAIT)?;
    let (now, breakers) = ledger.breakers(now)?;
    Ok(Known { ledger: Some(ledger), now, breakers })
}

fn list(global: &Global) -> anyhow::Result<u8> {
    let Known { now, breakers, .. } = known(global)?;
    let listed = breakers.into_iter().map(|(resource, breaker)| Listed {
        resource,
        state: breaker.state(now),
        until: breaker.until(now),
        failures: breaker.failures.len(),
        openings: breaker.openings,
        trying: breaker.lease.filter(|lease| lease.until > now).map(|lease| lease.task),
    });
    let listed: Vec<Listed> = listed.collect();
    output::show_each(global.format, &listed, |out| {
        if listed.is_empty() {
            return Ok(writeln!(out, "no resource is known to have failed")?);
        }
        let rows = listed.iter().map(|row| {
            let until = row.until.map(|until| format!("{until} (in {})", span(until.since(now))));
            vec![
                output::one_line(&row.resource, 70),
                row.state.name().replace('_', " "),
                until.unwrap_or_default(),
                row.failures.to_string(),
                output::one_line(row.trying.as_deref().unwrap_or_default(), 40),
            ]
        });
        let headers = ["RESOURCE", "STATE", "UNTIL", "FAILURES", "TRYING"];
        Ok(write!(out, "{}", output::table(&headers, rows.collect()))?)
    })
}

fn reset(global: &Global, resource: Option<&str>) -> anyhow::Result<u8> {
    let Known { ledger, breakers, .. } = known(global)?;
    let wanted = |name: &String| resource.is_none_or(|resource| resource == name);
    let names: Vec<String> = breakers.into_iter().map(|(name, _)| name).filter(wanted).collect();
    if let Some(mut ledger) = ledger {
        names.iter().try_for_each(|name| ledger.reset_breaker(name, clock::now()).map(drop))?;
    }
    let lines: Vec<_> = names.iter().map(|name| serde_json::json!({ "reset": name })).collect();
    output::show_each(global.format, &lines, |out| {
        names.iter().try_for_each(|name| Ok(writeln!(out, "{} may be used again", output::one_line(name, 100))?))
    })?;
    match resource {
        Some(resource) if names.is_empty() => {
            eprintln!(
                "recovery: nothing is known of {}; see `recovery breaker list`",
                output::one_line(&output::message(resource), 100)
            );
            Ok(exit::NO)
        }
        _ => Ok(exit::DONE),
    }
}
