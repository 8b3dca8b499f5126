//! A client's settings of any text: what `install` adds, `uninstall` takes out.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| recovery_install::assert_round_trip(text));
