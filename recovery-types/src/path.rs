//! Paths as tools print them, normalised so that they can be compared.

use serde::{Deserialize, Deserializer, Serialize};

/// A path inside the project, normalised: `./src/a.rs`, `src//a.rs` and `src\a.rs` are the same file.
///
/// ```
/// use recovery_types::RepoPath;
/// assert_eq!(RepoPath::new("./src//a.rs"), RepoPath::new("src\\a.rs"));
/// assert_eq!(RepoPath::new("src/x/../a.rs").as_str(), "src/a.rs");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct RepoPath(String);

impl RepoPath {
    /// Normalises `path`. Total: every text is a path.
    #[must_use]
    pub fn new(path: &str) -> Self {
        let rooted = path.starts_with(['/', '\\']);
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|p| *p != "..") => {
                    parts.pop();
                }
                // Nothing is above the root.
                ".." if rooted => {}
                _ => parts.push(part),
            }
        }
        Self(format!("{}{}", if rooted { "/" } else { "" }, parts.join("/")))
    }

    /// The normalised text, with `/` between the parts.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RepoPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&std::borrow::Cow::<str>::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::RepoPath;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_one_file_are_equal() {
        for same in ["src/a.rs", "./src/a.rs", "src//a.rs", "src\\a.rs", "src/./a.rs", "x/../src/a.rs", "src/a.rs/"] {
            assert_eq!(RepoPath::new(same).as_str(), "src/a.rs", "{same}");
        }
        assert_ne!(RepoPath::new("/src/a.rs"), RepoPath::new("src/a.rs"));
        assert_eq!(RepoPath::new("/../a").as_str(), "/a");
        assert_eq!(RepoPath::new("../../a").as_str(), "../../a");
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(path in "[a-c./\\\\]{0,20}") {
            let once = RepoPath::new(&path);
            prop_assert_eq!(RepoPath::new(once.as_str()), once);
        }
    }
}
