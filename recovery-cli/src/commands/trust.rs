//! `recovery trust`: the user's consent to what the project's recovery.toml may run and write.

use crate::cli::Global;
use crate::{exit, output};
use recovery_project::trust;
use serde_json::json;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Needed once for a recovery.toml that git tracks and that names commands to run or a directory to \
    write to; read it first.\n\nExamples:\n  recovery trust\n  recovery trust --revoke"
)]
pub(crate) struct Args {
    /// Take the consent back
    #[arg(long)]
    revoke: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let root = global.root()?;
    let shown = root.display().to_string();
    if args.revoke {
        let was_trusted = trust::revoke(&root)?;
        output::show(global.format, &json!({"project": shown, "trusted": false}), |out| {
            let what = if was_trusted { "no longer trusted" } else { "was not trusted" };
            Ok(writeln!(out, "{what}: {}", output::printable(&shown))?)
        })?;
        return Ok(if was_trusted { exit::DONE } else { exit::NO });
    }
    let allowed = global.settings()?.settings_needing_consent();
    let record = trust::give(&root)?;
    let record = record.display().to_string();
    let given = json!({"project": shown, "trusted": true, "allows": allowed, "record": record});
    output::show(global.format, &given, |out| {
        writeln!(out, "trusted: {}", output::printable(&shown))?;
        for setting in &allowed {
            writeln!(out, "  {}", output::one_line(setting, 200))?;
        }
        Ok(writeln!(out, "take it back: recovery trust --revoke")?)
    })
}
