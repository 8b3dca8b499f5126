//! `recovery --version --verbose`: everything a report of a bug needs to name the build.

use crate::output;
use recovery_engine::PackName;
use recovery_types::digest::sha256_hex;
use std::io::Write as _;

/// Digits of a pack's hash that are shown: enough to distinguish any two packs.
const PACK_HASH_DIGITS: usize = 12;

/// Whether the command line requests the long form. `--version` ends parsing, so options after it are not parsed.
pub(crate) fn is_verbose() -> bool {
    std::env::args_os().skip(1).any(|arg| arg == "--verbose" || arg == "-v" || arg == "-Vv" || arg == "-vV")
}

/// Prints the version of the program and of everything in it that decides an answer.
pub(crate) fn show() -> std::io::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "recovery {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "commit  {}", env!("RECOVERY_COMMIT"))?;
    writeln!(out, "target  {}", env!("RECOVERY_TARGET"))?;
    for pack in PackName::ALL {
        let rows = pack.rows();
        // A pack has no number of its own: its version is the hash of its rows.
        let hash = sha256_hex(format!("{rows:?}").as_bytes());
        writeln!(out, "pack    {pack}, {} indicators, {}", rows.len(), &hash[..PACK_HASH_DIGITS])?;
    }
    writeln!(out, "sqlite  {}", recovery_store::sqlite::library_version())?;
    out.flush()
}
