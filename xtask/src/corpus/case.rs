//! The words a case is defined with.

use super::label::Label;

/// The cases of one tool.
pub struct Tool {
    /// The tool's name; a case's id begins with it.
    pub name: &'static str,
    pub language: Option<&'static str>,
    /// Commands that must be on the path; without them the tool's cases are skipped.
    pub needs: &'static [&'static str],
    pub cases: &'static [Case],
}

/// One run of a tool: what is set up, what is run, what it provokes and why.
pub struct Case {
    pub id: &'static str,
    /// What is provoked; `None` for a run that succeeds.
    pub label: Option<Label>,
    /// The recorded command line, run by bash in a fresh directory.
    pub run: &'static str,
    pub why: &'static str,
    /// Files written before anything runs.
    pub files: &'static [(&'static str, &'static str)],
    /// Commands run before, whose output is not recorded.
    pub prepare: &'static str,
    /// Commands needed beyond the tool's own.
    pub needs: &'static [&'static str],
}

/// A case without files or preparation.
pub const fn case(id: &'static str, label: Option<Label>, run: &'static str, why: &'static str) -> Case {
    Case { id, label, run, why, files: &[], prepare: "", needs: &[] }
}

impl Case {
    /// With these files in its directory.
    pub const fn files(self, files: &'static [(&'static str, &'static str)]) -> Self {
        Self { files, ..self }
    }

    /// With these commands run first.
    pub const fn after(self, prepare: &'static str) -> Self {
        Self { prepare, ..self }
    }

    /// Only where these commands exist too.
    pub const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }
}
