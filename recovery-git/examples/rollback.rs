//! Goes back to the first commit of a scratch repository, and forth again.

use recovery_git::Repo;
use std::path::Path;
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let git = |args: &[&str]| -> std::io::Result<()> {
        let identity = ["-c", "user.name=example", "-c", "user.email=example@localhost"];
        Command::new("git").current_dir(dir.path()).args(identity).args(args).output().map(|_| ())
    };
    let file = dir.path().join("file");
    let text = || std::fs::read_to_string(Path::new(&file));
    git(&["init", "--quiet"])?;
    std::fs::write(&file, "good\n")?;
    git(&["add", "file"])?;
    git(&["commit", "--quiet", "-m", "good"])?;
    std::fs::write(&file, "broken\n")?;

    let repo = Repo::at(dir.path())?;
    let (lock, head) = (repo.lock()?, repo.head()?);
    let done = repo.roll_back(&lock, &head, &head, "broken", |_| Ok(()))?;
    assert_eq!(text()?, "good\n");
    println!("back at {}, saved as {}", done.target, done.backup.reference());
    repo.undo(&lock, "broken", "good")?;
    assert_eq!(text()?, "broken\n");
    Ok(())
}
