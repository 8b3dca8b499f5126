//! Reports with structure, one file per tool or family.

use crate::matcher::Report;

mod python;

/// All reports. On one line, the first that applies wins.
pub(crate) const REPORTS: &[Report] = &[python::TRACEBACK];
