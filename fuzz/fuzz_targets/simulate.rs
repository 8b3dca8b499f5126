//! A script of any text: levels only rise, time never goes back, level 5 reports, and a restart changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_service::script::assert_playable;

fuzz_target!(|text: &str| assert_playable(text));
