//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 68;

/// Whatever is known.
pub(super) const BIAS: i32 = 623;

/// Where only one tool prints the row.
pub(super) const OF_ONE_TOOL: i32 = -337;

/// Where other evidence refined the answer.
pub(super) const REFINED: i32 = -881;

/// By the number of other indicators of the same error type, the last one for more too.
#[rustfmt::skip]
pub(super) const ALLIES: [i32; 4] = [
    194, // 0, 876 cases
    176, // 1, 314 cases
    439, // 2, 98 cases
    770, // 3, 79 cases
];

/// By the number of other error types that are indicated, the last one for more too.
#[rustfmt::skip]
pub(super) const RIVALS: [i32; 5] = [
    483, // 0, 1006 cases
    475, // 1, 319 cases
    6, // 2, 40 cases
    -73, // 3, 2 cases
    0, // 4, 0 cases
];

/// By the step that decided.
#[rustfmt::skip]
pub(super) const STEPS: [i32; 16] = [
    687, // resource, 19 cases
    0, // summary-cause, 0 cases
    0, // summary-dependency, 0 cases
    803, // check-summary, 59 cases
    1989, // outside-cause, 338 cases
    731, // first-defect, 190 cases
    -648, // build-summary, 5 cases
    -135, // last-test, 14 cases
    1034, // last-report, 434 cases
    -136, // suggested-transient, 10 cases
    -447, // exit-code, 14 cases
    -791, // last-suggestion, 219 cases
    313, // echoed-suggestion, 3 cases
    88, // aside, 1 cases
    -905, // task-name, 15 cases
    -1553, // unnamed-suggestion, 46 cases
];

/// By whether the other indicators agree.
#[rustfmt::skip]
pub(super) const AGREEMENT: [i32; 3] = [
    874, // Agreed, 390 cases
    311, // Alone, 691 cases
    64, // Contested, 286 cases
];

/// By the error type.
#[rustfmt::skip]
pub(super) const ERROR_TYPES: [i32; 27] = [
    185, // network_timeout, 42 cases
    100, // connection_failure, 122 cases
    156, // rate_limit, 25 cases
    410, // service_unavailable, 65 cases
    439, // lock_contention, 17 cases
    109, // file_not_found, 206 cases
    775, // permission_denied, 33 cases
    -634, // command_not_found, 19 cases
    -596, // invalid_argument, 162 cases
    -735, // wrong_output_format, 33 cases
    463, // missing_credentials, 53 cases
    247, // quota_exhausted, 18 cases
    350, // disk_full, 10 cases
    520, // out_of_memory, 11 cases
    -451, // compile_error, 174 cases
    509, // missing_dependency, 62 cases
    216, // type_error, 4 cases
    433, // lint_error, 42 cases
    471, // test_failure, 67 cases
    -1254, // runtime_exception, 108 cases
    251, // context_exhausted, 16 cases
    229, // merge_conflict, 9 cases
    0, // goal_misalignment, 0 cases
    0, // capability_mismatch, 0 cases
    0, // external_service_down, 0 cases
    25, // untrusted_certificate, 3 cases
    -335, // other, 66 cases
];
