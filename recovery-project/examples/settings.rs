//! Parses settings, and shows a mistake in them.

use recovery_project::ProjectSettings;
use std::path::Path;

fn main() -> Result<(), recovery_project::ProjectError> {
    let path = Path::new("recovery.toml");
    let settings = ProjectSettings::parse(path, "[ladder.retry]\nattempts = 2\n".to_owned())?;
    assert_eq!(settings.ladder.retry.attempts, 2);
    if let Err(mistake) = ProjectSettings::parse(path, "[ladder.retry]\nattempts = \"two\"\n".to_owned()) {
        println!("{mistake}");
    }
    Ok(())
}
