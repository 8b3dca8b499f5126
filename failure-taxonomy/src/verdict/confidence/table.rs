//! Written by `cargo xtask eval`; do not edit.

/// In thousandths, where no step decided.
pub(super) const NOTHING_RECOGNISED: u16 = 74;

/// In thousandths, by step, by agreement (agreed, alone, contested), and by whether the row is of one tool (no, yes).
#[rustfmt::skip]
pub(super) const CONFIDENCE: [[[u16; 2]; 3]; 15] = [
    [[967, 967], [990, 990], [990, 990]], // resource, 18 cases
    [[817, 817], [817, 817], [817, 817]], // summary-cause, 0 cases
    [[817, 817], [817, 817], [817, 817]], // summary-dependency, 0 cases
    [[990, 990], [990, 990], [932, 844]], // check-summary, 53 cases
    [[990, 990], [986, 990], [990, 990]], // outside-cause, 320 cases
    [[852, 873], [789, 885], [865, 931]], // first-defect, 152 cases
    [[804, 706], [282, 462], [358, 447]], // build-summary, 9 cases
    [[690, 893], [721, 841], [462, 539]], // last-test, 16 cases
    [[896, 824], [931, 792], [908, 872]], // last-report, 353 cases
    [[805, 805], [951, 902], [689, 722]], // suggested-transient, 10 cases
    [[563, 563], [503, 513], [563, 563]], // exit-code, 16 cases
    [[771, 739], [588, 587], [453, 362]], // last-suggestion, 185 cases
    [[817, 817], [817, 817], [817, 817]], // echoed-suggestion, 0 cases
    [[854, 854], [854, 854], [906, 883]], // aside, 1 cases
    [[209, 167], [214, 300], [261, 261]], // unnamed-suggestion, 66 cases
];
