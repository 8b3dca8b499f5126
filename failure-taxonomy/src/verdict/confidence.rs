//! How likely a verdict is right.
//!
//! In: the step that decided, the row it decided by, and the other indicators. Out: an estimated probability, read from a
//! table by step, by whether the other indicators agree, and by whether only one tool prints the row. The table is estimated
//! by leaving one source of the committed corpus out at a time: rows that fire in no other source's cases are disabled, as
//! if the source's tools had never been seen. `cargo xtask eval` writes it.

mod table;

use super::case::Sign;
use super::steps::StepId;
use recovery_types::{ErrorType, Permille};

/// Where no step decided.
pub(super) const NOTHING_RECOGNISED: Permille = Permille::new(table::NOTHING_RECOGNISED);

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

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Support {
    /// The step that decided.
    pub step: StepId,
    /// Whether the other indicators agree.
    pub agreement: Agreement,
    /// Whether only one tool prints the indicator that decided.
    pub is_of_one_tool: bool,
}

impl Support {
    pub(super) fn of(step: StepId, error_type: ErrorType, row: Option<usize>, signs: &[Sign<'_>]) -> Self {
        let others =
            || signs.iter().filter(|sign| Some(sign.hit.row) != row && sign.row.error_type != ErrorType::Other);
        let same = others().filter(|sign| sign.row.error_type == error_type).count();
        let agreement = match others().count() - same {
            0 if same == 0 => Agreement::Alone,
            different if same > different => Agreement::Agreed,
            _ => Agreement::Contested,
        };
        let decided_by = signs.iter().find(|sign| Some(sign.hit.row) == row);
        Self { step, agreement, is_of_one_tool: decided_by.is_some_and(|sign| sign.row.tool.is_some()) }
    }

    /// The estimated probability that the error type is right.
    #[must_use]
    pub const fn confidence(self) -> Permille {
        Permille::new(table::CONFIDENCE[self.step as usize][self.agreement as usize][self.is_of_one_tool as usize])
    }
}
