//! What to do where the best step failed and no other is known: reach the same end in another way.
//!
//! In: the step that failed. Out: a step of another kind about the same thing, for what is missing and could not be supplied;
//! none where only the step itself helps, such as freeing a disk.

use super::words::step;
use recovery_types::{Adjustment, AdjustmentKind};

/// Another way than to supply what is missing.
pub(super) fn of_failed(failed: &Adjustment) -> Option<Adjustment> {
    let name = failed.subject.as_deref()?;
    let (kind, text) = match failed.kind {
        AdjustmentKind::InstallCommand => {
            (AdjustmentKind::CorrectCommand, format!("do it without {name}, with a command that is installed here"))
        }
        AdjustmentKind::InstallPackage | AdjustmentKind::InstallLibrary => {
            (AdjustmentKind::FixCode, format!("do it without {name}, with what is installed here"))
        }
        AdjustmentKind::CorrectPath => {
            (AdjustmentKind::CorrectCommand, format!("find out what makes {name}, and run that first"))
        }
        _ => return None,
    };
    Some(Adjustment { subject: Some(name.to_owned()), ..step(kind, text) })
}
