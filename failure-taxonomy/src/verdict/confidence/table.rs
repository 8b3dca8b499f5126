//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 72;

/// Whatever is known.
pub(super) const BIAS: i32 = 924;

/// Where only one tool prints the row.
pub(super) const OF_ONE_TOOL: i32 = -238;

/// By the step that decided.
#[rustfmt::skip]
pub(super) const STEPS: [i32; 15] = [
    730, // resource, 18 cases
    0, // summary-cause, 0 cases
    0, // summary-dependency, 0 cases
    1068, // check-summary, 59 cases
    2163, // outside-cause, 337 cases
    728, // first-defect, 181 cases
    -557, // build-summary, 5 cases
    34, // last-test, 14 cases
    1019, // last-report, 433 cases
    -112, // suggested-transient, 10 cases
    -358, // exit-code, 14 cases
    -865, // last-suggestion, 219 cases
    0, // echoed-suggestion, 0 cases
    103, // aside, 1 cases
    -1788, // unnamed-suggestion, 55 cases
];

/// By whether the other indicators agree.
#[rustfmt::skip]
pub(super) const AGREEMENT: [i32; 3] = [
    921, // Agreed, 381 cases
    608, // Alone, 687 cases
    175, // Contested, 278 cases
];

/// By the error type.
#[rustfmt::skip]
pub(super) const ERROR_TYPES: [i32; 27] = [
    203, // network_timeout, 42 cases
    155, // connection_failure, 121 cases
    209, // rate_limit, 25 cases
    461, // service_unavailable, 65 cases
    485, // lock_contention, 17 cases
    212, // file_not_found, 202 cases
    827, // permission_denied, 32 cases
    -675, // command_not_found, 19 cases
    -371, // invalid_argument, 160 cases
    -648, // wrong_output_format, 33 cases
    488, // missing_credentials, 53 cases
    230, // quota_exhausted, 18 cases
    373, // disk_full, 10 cases
    549, // out_of_memory, 10 cases
    -498, // compile_error, 167 cases
    705, // missing_dependency, 52 cases
    206, // type_error, 4 cases
    731, // lint_error, 35 cases
    277, // test_failure, 69 cases
    -1400, // runtime_exception, 110 cases
    230, // context_exhausted, 16 cases
    259, // merge_conflict, 9 cases
    0, // goal_misalignment, 0 cases
    0, // capability_mismatch, 0 cases
    0, // external_service_down, 0 cases
    29, // untrusted_certificate, 3 cases
    -321, // other, 74 cases
];
