//! Any request has one answer, and its directive reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use node_repair::{RepairConfig, parse_directive, select};
use recovery_types::RepairRequest;

fuzz_target!(|text: &str| {
    let mut request = serde_json::from_str::<RepairRequest>(text).unwrap_or_default();
    if request.error.text.is_empty() {
        request.error.text = text.to_owned();
    }
    let repair = select(&request, &RepairConfig::default());
    let directive = repair.directive.expect("repair is on");
    let parsed = parse_directive(&directive).expect("a directive reads back");
    assert_eq!(Some(parsed.strategy()), repair.strategy);
});
