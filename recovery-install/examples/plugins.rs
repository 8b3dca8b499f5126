//! Writes the plugin files to the directory given. `cargo xtask plugins` runs it.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let dir = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "plugins".into()));
    for (path, text) in recovery_install::plugins() {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&dir))?;
        std::fs::write(path, text)?;
    }
    Ok(())
}
