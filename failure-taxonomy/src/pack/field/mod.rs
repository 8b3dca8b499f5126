//! The field pack: what real tools really print.

use super::Table;

/// One table an ecosystem.
pub const TABLES: &[Table] = &[];
