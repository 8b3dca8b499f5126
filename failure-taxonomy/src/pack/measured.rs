//! How often each row of the field pack was right on the committed corpus. Written by `cargo xtask eval`.

/// `(row, cases it fired on, cases it was right on, lower bound of the share in thousandths)`, by row.
#[rustfmt::skip]
pub(super) const MEASURED: &[(&str, u16, u16, u16)] = &[
];
