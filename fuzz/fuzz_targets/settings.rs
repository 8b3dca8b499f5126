//! recovery.toml and a plan executor's config.json of any text: accepted or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| recovery_cli::fuzz::settings(text));
