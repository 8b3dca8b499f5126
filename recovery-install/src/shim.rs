//! The plugin for OpenCode, which knows no hook commands: a few lines that hand each event to `recovery hook opencode`.

use crate::launch::Launch;

/// The place of the program's name in the text.
const PLACE: &str = "\"recovery\"; // set by install";

/// The plugin's text.
pub(crate) fn text(launch: &Launch) -> String {
    let program = serde_json::Value::from(launch.program());
    include_str!("opencode.js").replace(PLACE, &format!("{program}; // set by install"))
}

/// The program that an installed plugin calls; none where the text is no plugin of ours.
pub(crate) fn program(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("const PROGRAM = "))?;
    serde_json::from_str(line.split_once("; //").map_or(line, |(value, _)| value).trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_written_and_read_back() {
        for name in ["recovery", "/opt/a \"b\"/recovery"] {
            assert_eq!(program(&text(&Launch::named(name))).as_deref(), Some(name));
        }
        assert_eq!(program("export default {}"), None);
    }
}
