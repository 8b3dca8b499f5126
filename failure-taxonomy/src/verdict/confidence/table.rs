//! Written by `cargo xtask eval`; do not edit.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 52;

/// In thousandths, by step, by agreement (agreed, alone, contested), and by whether the row is of one tool (no, yes).
#[rustfmt::skip]
pub(super) const CONFIDENCE: [[[u16; 2]; 3]; 15] = [
    [[927, 927], [990, 976], [967, 951]], // resource, 10 cases
    [[743, 743], [743, 743], [743, 743]], // summary-cause, 0 cases
    [[743, 743], [743, 743], [743, 743]], // summary-dependency, 0 cases
    [[990, 986], [980, 977], [987, 985]], // check-summary, 16 cases
    [[990, 990], [960, 961], [990, 990]], // outside-cause, 132 cases
    [[691, 700], [809, 968], [518, 919]], // first-defect, 58 cases
    [[662, 662], [530, 424], [730, 784]], // build-summary, 2 cases
    [[702, 729], [959, 954], [569, 638]], // last-test, 14 cases
    [[789, 842], [854, 600], [979, 937]], // last-report, 118 cases
    [[784, 784], [797, 793], [797, 793]], // suggested-transient, 10 cases
    [[886, 886], [963, 935], [949, 924]], // exit-code, 5 cases
    [[861, 804], [557, 555], [280, 302]], // last-suggestion, 113 cases
    [[743, 743], [743, 743], [743, 743]], // echoed-suggestion, 0 cases
    [[795, 795], [869, 836], [795, 795]], // aside, 1 cases
    [[233, 233], [186, 190], [233, 233]], // unnamed-suggestion, 43 cases
];
