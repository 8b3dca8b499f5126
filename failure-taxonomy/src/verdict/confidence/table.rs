//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 74;

/// Whatever is known.
pub(super) const BIAS: i32 = 834;

/// Where only one tool prints the row.
pub(super) const OF_ONE_TOOL: i32 = 107;

/// By the step that decided.
#[rustfmt::skip]
pub(super) const STEPS: [i32; 15] = [
    761, // resource
    0, // summary-cause
    0, // summary-dependency
    1100, // check-summary
    2314, // outside-cause
    438, // first-defect
    -669, // build-summary
    -371, // last-test
    1072, // last-report
    -4, // suggested-transient
    -415, // exit-code
    -836, // last-suggestion
    0, // echoed-suggestion
    117, // aside
    -1716, // unnamed-suggestion
];

/// By whether the other indicators agree.
#[rustfmt::skip]
pub(super) const AGREEMENT: [i32; 3] = [
    954, // Agreed
    446, // Alone
    109, // Contested
];

/// By the error type.
#[rustfmt::skip]
pub(super) const ERROR_TYPES: [i32; 27] = [
    549, // network_timeout
    143, // connection_failure
    186, // rate_limit
    433, // service_unavailable
    500, // lock_contention
    113, // file_not_found
    807, // permission_denied
    -743, // command_not_found
    -338, // invalid_argument
    -1067, // wrong_output_format
    443, // missing_credentials
    227, // quota_exhausted
    425, // disk_full
    567, // out_of_memory
    -347, // compile_error
    751, // missing_dependency
    97, // type_error
    502, // lint_error
    21, // test_failure
    -1348, // runtime_exception
    231, // context_exhausted
    207, // merge_conflict
    0, // goal_misalignment
    0, // capability_mismatch
    0, // external_service_down
    29, // untrusted_certificate
    -278, // other
];
