//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 65;

/// Whatever is known.
pub(super) const BIAS: i32 = 858;

/// Where only one tool prints the row.
pub(super) const OF_ONE_TOOL: i32 = -226;

/// Where other evidence refined the answer.
pub(super) const REFINED: i32 = 0;

/// By the number of indicators of the same error type.
#[rustfmt::skip]
pub(super) const ALLIES: [i32; 4] = [0, 0, 0, 0];

/// By the number of other error types that are indicated.
#[rustfmt::skip]
pub(super) const RIVALS: [i32; 5] = [0, 0, 0, 0, 0];

/// By the step that decided.
#[rustfmt::skip]
pub(super) const STEPS: [i32; 16] = [
    775, // resource, 19 cases
    0, // summary-cause, 0 cases
    0, // summary-dependency, 0 cases
    1123, // check-summary, 59 cases
    2223, // outside-cause, 337 cases
    851, // first-defect, 181 cases
    -519, // build-summary, 5 cases
    66, // last-test, 14 cases
    1095, // last-report, 432 cases
    -78, // suggested-transient, 10 cases
    -315, // exit-code, 14 cases
    -747, // last-suggestion, 219 cases
    0, // echoed-suggestion, 0 cases
    108, // aside, 1 cases
    -1172, // task-name, 17 cases
    -1682, // unnamed-suggestion, 52 cases
];

/// By whether the other indicators agree.
#[rustfmt::skip]
pub(super) const AGREEMENT: [i32; 3] = [
    887, // Agreed, 381 cases
    552, // Alone, 700 cases
    155, // Contested, 279 cases
];

/// By the error type.
#[rustfmt::skip]
pub(super) const ERROR_TYPES: [i32; 27] = [
    225, // network_timeout, 42 cases
    186, // connection_failure, 121 cases
    216, // rate_limit, 25 cases
    473, // service_unavailable, 65 cases
    504, // lock_contention, 17 cases
    223, // file_not_found, 202 cases
    837, // permission_denied, 32 cases
    -637, // command_not_found, 19 cases
    -369, // invalid_argument, 160 cases
    -746, // wrong_output_format, 34 cases
    489, // missing_credentials, 53 cases
    235, // quota_exhausted, 18 cases
    390, // disk_full, 10 cases
    577, // out_of_memory, 11 cases
    -497, // compile_error, 173 cases
    683, // missing_dependency, 52 cases
    206, // type_error, 4 cases
    227, // lint_error, 46 cases
    308, // test_failure, 69 cases
    -1307, // runtime_exception, 108 cases
    235, // context_exhausted, 16 cases
    263, // merge_conflict, 9 cases
    0, // goal_misalignment, 0 cases
    0, // capability_mismatch, 0 cases
    0, // external_service_down, 0 cases
    31, // untrusted_certificate, 3 cases
    -231, // other, 71 cases
];
