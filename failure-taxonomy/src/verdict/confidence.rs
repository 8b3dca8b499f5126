//! How likely a verdict is right.
//!
//! In: the step that decided, the error type, the row it decided by, and the other indicators. Out: an estimated probability.
//! It is a logistic regression: the step, the error type, whether and how many of the other indicators agree, how many other
//! error types are indicated, whether other evidence refined the answer, and whether only one tool prints the row each add to
//! the log-odds, and the logistic function makes a probability of the sum. Whole numbers throughout, so that the answer is the
//! same on every machine.
//!
//! The weights are estimated by leaving one source of the committed corpus out at a time: rows that fire in no other source's
//! cases are disabled, as if the source's tools had never been seen. `cargo xtask eval` writes them. Tried as further terms and
//! no better on outputs of other projects: the family of the row, the length of its text, its distance from the end, the
//! length of the output, the exit code.

mod table;

use super::case::Sign;
use super::steps::VerdictStepId;
use recovery_types::{ErrorType, Permille};
use std::collections::BTreeSet;

/// Where no step decided.
pub(super) const NOTHING_RECOGNISED: Permille = Permille::new(table::NOTHING_RECOGNISED);

/// No answer is surer than this.
const MAX_CONFIDENCE: u16 = 990;
/// An answer that guesses, because nothing that was printed names the error type, is at most so sure.
const MAX_GUESS_CONFIDENCE: u16 = 300;

/// Whether the other indicators indicate the same error type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// More of them do than indicate another one.
    Agreed,
    /// There are no others.
    Alone,
    /// At least as many indicate another one.
    Contested,
}

impl Agreement {
    /// All of them, in the order of the table of weights.
    pub const ALL: [Self; 3] = [Self::Agreed, Self::Alone, Self::Contested];
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Support {
    /// The step that decided.
    pub step: VerdictStepId,
    /// The error type that was decided on.
    pub error_type: ErrorType,
    /// Whether the other indicators agree.
    pub agreement: Agreement,
    /// Whether only one tool prints the indicator that decided.
    pub is_of_one_tool: bool,
    /// Whether other evidence made the answer more specific than the indicator that decided.
    pub is_refined: bool,
    /// How many other indicators indicate the same error type, at most [`Self::MAX_ALLIES`].
    pub allies: u8,
    /// How many other error types are indicated, at most [`Self::MAX_RIVALS`].
    pub rivals: u8,
}

impl Support {
    /// More allies than these count as these.
    pub const MAX_ALLIES: u8 = 3;
    /// More rivals than these count as these.
    pub const MAX_RIVALS: u8 = 4;

    /// `picked` is what the step picked, `error_type` what it was refined to.
    pub(super) fn of(
        step: VerdictStepId,
        picked: ErrorType,
        error_type: ErrorType,
        row: Option<usize>,
        signs: &[Sign<'_>],
    ) -> Self {
        let others =
            || signs.iter().filter(|sign| Some(sign.hit.row) != row && sign.row.error_type != ErrorType::Other);
        let same = others().filter(|sign| sign.row.error_type == picked).count();
        let agreement = match others().count() - same {
            0 if same == 0 => Agreement::Alone,
            different if same > different => Agreement::Agreed,
            _ => Agreement::Contested,
        };
        let decided_by = signs.iter().find(|sign| Some(sign.hit.row) == row);
        let rivals: BTreeSet<ErrorType> =
            others().map(|sign| sign.row.error_type).filter(|error| *error != error_type).collect();
        let allies = others().filter(|sign| sign.row.error_type == error_type).count();
        Self {
            step,
            error_type,
            agreement,
            is_of_one_tool: decided_by.is_some_and(|sign| sign.row.tool.is_some()),
            is_refined: picked != error_type,
            allies: allies.min(Self::MAX_ALLIES.into()) as u8,
            rivals: rivals.len().min(Self::MAX_RIVALS.into()) as u8,
        }
    }

    /// The estimated probability that the error type is right.
    #[must_use]
    pub const fn confidence(self) -> Permille {
        let log_odds = table::BIAS
            + table::STEPS[self.step as usize]
            + table::ERROR_TYPES[self.error_type as usize]
            + table::AGREEMENT[self.agreement as usize]
            + table::ALLIES[self.allies as usize]
            + table::RIVALS[self.rivals as usize]
            + if self.is_of_one_tool { table::OF_ONE_TOOL } else { 0 }
            + if self.is_refined { table::REFINED } else { 0 };
        let most = if self.step.is_guess() { MAX_GUESS_CONFIDENCE } else { MAX_CONFIDENCE };
        let probability = logistic(log_odds);
        Permille::new(if probability < most { probability } else { most })
    }
}

/// The logistic function of log-odds in thousandths, in thousandths, interpolated between points.
const fn logistic(log_odds: i32) -> u16 {
    /// At 0, a half, 1, and so on.
    const POINTS: [u16; 13] = [500, 622, 731, 818, 881, 924, 953, 971, 982, 989, 993, 996, 998];
    const STEP: u32 = 500;
    let distance = log_odds.unsigned_abs();
    let at = (distance / STEP) as usize;
    let value = if at + 1 < POINTS.len() {
        let rise = (POINTS[at + 1] - POINTS[at]) as u32;
        POINTS[at] + (rise * (distance % STEP) / STEP) as u16
    } else {
        POINTS[POINTS.len() - 1]
    };
    if log_odds < 0 { 1000 - value } else { value }
}

#[cfg(test)]
mod tests {
    use super::logistic;

    #[test]
    fn the_logistic_function_rises_from_none_to_all() {
        assert_eq!([-9000, -1000, 0, 250, 1000, 9000].map(logistic), [2, 269, 500, 561, 731, 998]);
        assert!((-7000..7000).all(|at| logistic(at) <= logistic(at + 1)));
    }
}
