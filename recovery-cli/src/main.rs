//! The `recovery` command.

fn main() -> std::process::ExitCode {
    recovery_cli::main()
}
