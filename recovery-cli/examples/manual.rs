//! Writes man pages and shell completions: `cargo xtask manual`.

use clap_complete::Shell;

fn main() -> std::io::Result<()> {
    let dir = std::env::args_os().nth(1).unwrap_or_else(|| "target/manual".into());
    std::fs::create_dir_all(&dir)?;
    clap_mangen::generate_to(recovery_cli::command(), &dir)?;
    let mut command = recovery_cli::command();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut command, "recovery", &dir)?;
    }
    println!("{} files in {}", std::fs::read_dir(&dir)?.count(), dir.display());
    Ok(())
}
