//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 72;

/// Whatever is known.
pub(super) const BIAS: i32 = 924;

/// Where only one tool prints the row.
pub(super) const OF_ONE_TOOL: i32 = -233;

/// By the step that decided.
#[rustfmt::skip]
pub(super) const STEPS: [i32; 15] = [
    726, // resource
    0, // summary-cause
    0, // summary-dependency
    1084, // check-summary
    2170, // outside-cause
    766, // first-defect
    -544, // build-summary
    36, // last-test
    992, // last-report
    -78, // suggested-transient
    -379, // exit-code
    -875, // last-suggestion
    0, // echoed-suggestion
    102, // aside
    -1812, // unnamed-suggestion
];

/// By whether the other indicators agree.
#[rustfmt::skip]
pub(super) const AGREEMENT: [i32; 3] = [
    845, // Agreed
    649, // Alone
    166, // Contested
];

/// By the error type.
#[rustfmt::skip]
pub(super) const ERROR_TYPES: [i32; 27] = [
    198, // network_timeout
    187, // connection_failure
    212, // rate_limit
    469, // service_unavailable
    476, // lock_contention
    230, // file_not_found
    820, // permission_denied
    -682, // command_not_found
    -366, // invalid_argument
    -650, // wrong_output_format
    491, // missing_credentials
    232, // quota_exhausted
    367, // disk_full
    547, // out_of_memory
    -518, // compile_error
    703, // missing_dependency
    199, // type_error
    716, // lint_error
    288, // test_failure
    -1404, // runtime_exception
    231, // context_exhausted
    273, // merge_conflict
    0, // goal_misalignment
    0, // capability_mismatch
    0, // external_service_down
    30, // untrusted_certificate
    -333, // other
];
