//! What contradicts the mission: its constraints and the borders of its features.
//!
//! - A `forbid` pattern is plain text found in any case in the output, the test's output, the approach or the tool; in
//!   the form `/.../` it is a regular expression. An empty match is none.
//! - A `protect` or feature glob is matched against the whole path: `*` stays within one directory, `**` does not. Without
//!   any wildcard it matches the file or everything under the directory.
//! - A pattern or glob that cannot be parsed matches nothing; [`unreadable_patterns`] lists which and why.

use crate::evidence::{Evidence, FirstOf};
use globset::{GlobBuilder, GlobMatcher};
use recovery_types::{Ancestor, FailureEvent, RepoPath};
use regex::{Regex, RegexBuilder};
use std::collections::BTreeSet;

/// A pattern or glob of a mission that cannot be parsed and therefore matches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadablePattern {
    /// Its path in the mission, e.g. `constraints[no-new-deps].protect`.
    pub place: String,
    /// The pattern or glob.
    pub pattern: String,
    /// Why it cannot be parsed.
    pub why: String,
}

/// The patterns and globs of a mission that cannot be parsed.
///
/// ```
/// use recovery_types::{Ancestor, Constraint};
/// let constraint = Constraint { id: "schema".into(), protect: vec!["db/[".into()], ..Default::default() };
/// let mission = Ancestor { constraints: vec![constraint], ..Default::default() };
/// assert_eq!(classifier_core::unreadable_patterns(&mission)[0].place, "constraints[schema].protect");
/// ```
#[must_use]
pub fn unreadable_patterns(mission: &Ancestor) -> Vec<UnreadablePattern> {
    let mut unreadable = Vec::new();
    let mut note = |place: String, pattern: &str, why: Option<String>| {
        unreadable.extend(why.map(|why| UnreadablePattern { place, pattern: pattern.to_owned(), why }));
    };
    for constraint in &mission.constraints {
        for pattern in &constraint.forbid {
            note(format!("constraints[{}].forbid", constraint.id), pattern, Forbidden::read(pattern).err());
        }
        for glob in &constraint.protect {
            note(format!("constraints[{}].protect", constraint.id), glob, Paths::read(glob).err());
        }
    }
    for (feature, globs) in &mission.features {
        for glob in globs {
            note(format!("features[{feature}]"), glob, Paths::read(glob).err());
        }
    }
    unreadable
}

/// The contradictions of the mission by kind, each in order and without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Contradictions {
    pub forbidden: Vec<Evidence>,
    pub protected: Vec<Evidence>,
    pub cross_feature: Vec<Evidence>,
}

impl Contradictions {
    /// The kinds, in order of precedence.
    pub fn by_kind(&self) -> [&[Evidence]; 3] {
        [&self.forbidden, &self.protected, &self.cross_feature]
    }
}

pub(crate) fn contradictions(event: &FailureEvent) -> Contradictions {
    let Some(mission) = &event.ancestor else { return Contradictions::default() };
    let (mut forbidden, mut protected) = (BTreeSet::new(), BTreeSet::new());
    for constraint in &mission.constraints {
        for pattern in &constraint.forbid {
            if let Some(place) = Forbidden::read(pattern).ok().and_then(|forbidden| forbidden.place_in(event)) {
                let (pattern, constraint) = (pattern.clone(), constraint.id.clone());
                forbidden.insert(Evidence::Forbidden { pattern, constraint, place });
            }
        }
        for glob in &constraint.protect {
            if let Some(files) = FirstOf::new(touched(event, glob).collect()) {
                let constraint = constraint.id.clone();
                protected.insert(Evidence::Protected { constraint, glob: glob.clone(), files });
            }
        }
    }
    let features = touched_features(event, mission);
    Contradictions {
        forbidden: forbidden.into_iter().collect(),
        protected: protected.into_iter().collect(),
        cross_feature: (features.len() >= 2).then_some(Evidence::CrossFeature { features }).into_iter().collect(),
    }
}

/// The features of a mission that the event's files belong to, by name.
///
/// ```
/// use recovery_types::{Ancestor, FailureEvent, RepoPath};
/// let mission = Ancestor { features: [("auth".into(), vec!["src/auth/**".into()])].into(), ..Default::default() };
/// let event = FailureEvent { exit_code: 1, files_touched: vec![RepoPath::new("src/auth/jwt.rs")], ..Default::default() };
/// assert_eq!(classifier_core::touched_features(&event, &mission), ["auth"]);
/// ```
#[must_use]
pub fn touched_features(event: &FailureEvent, mission: &Ancestor) -> Vec<String> {
    let is_touched = |globs: &[String]| globs.iter().any(|glob| touched(event, glob).next().is_some());
    let features = mission.features.iter().filter(|(_, globs)| is_touched(globs));
    features.map(|(feature, _)| feature.clone()).collect()
}

/// The touched files that `glob` matches; none where it cannot be parsed.
fn touched<'a>(event: &'a FailureEvent, glob: &str) -> impl Iterator<Item = &'a RepoPath> {
    let paths = Paths::read(glob).ok();
    event.files_touched.iter().filter(move |file| paths.as_ref().is_some_and(|paths| paths.contain(file)))
}

/// A `forbid` pattern.
enum Forbidden {
    /// Lower-cased text.
    Text(String),
    Regex(Regex),
}

impl Forbidden {
    fn read(pattern: &str) -> Result<Self, String> {
        let inner = pattern.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match inner.filter(|inner| !inner.is_empty()) {
            // The limit keeps one pattern from costing more than the rest of the answer.
            Some(inner) => RegexBuilder::new(inner)
                .case_insensitive(true)
                .size_limit(1 << 20)
                .build()
                .map(Self::Regex)
                .map_err(|error| error.to_string()),
            None if pattern.is_empty() => Err("it is empty".to_owned()),
            None => Ok(Self::Text(pattern.to_lowercase())),
        }
    }

    /// The first part of the event that contains it.
    fn place_in(&self, event: &FailureEvent) -> Option<&'static str> {
        let places = [
            ("stderr", Some(&event.stderr_tail)),
            ("test_output", event.test_output.as_ref()),
            ("approach", event.approach.as_ref()),
            ("tool", event.tool.as_ref()),
        ];
        places.into_iter().find(|(_, text)| text.is_some_and(|text| self.is_in(text))).map(|(place, _)| place)
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Text(wanted) => text.to_lowercase().contains(wanted),
            Self::Regex(regex) => regex.find_iter(text).any(|found| !found.is_empty()),
        }
    }
}

/// The paths that a `protect` or feature glob matches.
enum Paths {
    Under(RepoPath),
    Glob(GlobMatcher),
}

impl Paths {
    fn read(glob: &str) -> Result<Self, String> {
        if glob.is_empty() {
            return Err("it is empty".to_owned());
        }
        if !glob.contains(['*', '?', '[', '{']) {
            return Ok(Self::Under(RepoPath::new(glob)));
        }
        // The same interpretation on every operating system.
        GlobBuilder::new(glob.strip_prefix("./").unwrap_or(glob))
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map(|glob| Self::Glob(glob.compile_matcher()))
            .map_err(|error| error.kind().to_string())
    }

    fn contain(&self, file: &RepoPath) -> bool {
        match self {
            Self::Under(path) => {
                file.as_str().strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            Self::Glob(glob) => glob.is_match(file.as_str()),
        }
    }
}
