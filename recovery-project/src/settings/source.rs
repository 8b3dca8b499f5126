//! A mistake in the settings, shown where it is: file, line, column and a caret.

use crate::ProjectError;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt::Display;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The settings as they were written.
#[derive(Debug)]
pub struct SourceText {
    /// The file.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// One step on the way to a setting.
#[derive(Clone, Debug)]
pub enum Step {
    /// Into the field of a table.
    Key(String),
    /// To an item of a list, from 0.
    Item(usize),
}

/// The way to a setting, from the top of the file.
pub type Path = Vec<Step>;

/// The way to a setting with this name, such as `retry.limit_ms`, below `section`.
pub fn below(section: &str, name: &str) -> Path {
    std::iter::once(section).chain(name.split('.')).map(|key| Step::Key(key.to_owned())).collect()
}

impl SourceText {
    /// What TOML itself or a setting's type does not allow.
    pub fn unreadable(&self, error: &toml::de::Error) -> ProjectError {
        match error.span() {
            Some(span) => self.shown(&recovery_service::json::plain(error.message()), &[span]),
            None => {
                ProjectError::Settings(format!("{}: {}", self.name, recovery_service::json::plain(error.message())))
            }
        }
    }

    /// A setting that can be read and makes no sense. The caret is under the first of `settings` that the file has,
    /// marks under the others.
    pub fn mistake(&self, error: &impl Display, settings: &[Path]) -> ProjectError {
        let Ok(file) = DeTable::parse(&self.text) else {
            return ProjectError::Settings(format!("{}: {error}", self.name));
        };
        let mut spans: Vec<_> = settings.iter().filter_map(|path| span_of(file.get_ref(), path, path.len())).collect();
        if spans.is_empty() {
            // None of them is written down; the section is.
            let nearest =
                settings.first().and_then(|path| (1..path.len()).rev().find_map(|n| span_of(file.get_ref(), path, n)));
            spans.extend(nearest);
        }
        self.shown(&error.to_string(), &spans)
    }

    /// The line that a setting is on.
    pub fn line_of(&self, setting: &Path) -> Option<usize> {
        let file = DeTable::parse(&self.text).ok()?;
        let start = span_of(file.get_ref(), setting, setting.len())?.start;
        Some(self.text[..start].matches('\n').count() + 1)
    }

    fn shown(&self, message: &str, spans: &[Range<usize>]) -> ProjectError {
        let kinds = std::iter::once(AnnotationKind::Primary).chain(std::iter::repeat(AnnotationKind::Context));
        let snippet = Snippet::source(&self.text)
            .path(&self.name)
            .annotations(kinds.zip(spans).map(|(kind, span)| kind.span(span.clone())));
        let report = [Level::ERROR.no_name().primary_title(message).element(snippet)];
        ProjectError::Settings(format!("in the settings\n{}", Renderer::plain().render(&report)))
    }
}

/// Where the first `steps` of `path` lead to.
fn span_of(file: &DeTable<'_>, path: &[Step], steps: usize) -> Option<Range<usize>> {
    let (first, rest) = path.get(..steps)?.split_first()?;
    let Step::Key(key) = first else { return None };
    let mut found = file.get(key.as_str())?;
    for step in rest {
        found = match (step, found.get_ref()) {
            (Step::Key(key), DeValue::Table(table)) => table.get(key.as_str())?,
            (Step::Item(index), DeValue::Array(items)) => items.get(*index)?,
            _ => return None,
        };
    }
    Some(found.span())
}
