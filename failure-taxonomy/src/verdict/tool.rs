//! The job of a tool, by its name.

/// The job of a tool, as far as its name shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    Build,
    Lint,
    Test,
}

pub(super) fn kind_of(tool: Option<&str>) -> Option<ToolKind> {
    match tool?.to_ascii_lowercase().as_str() {
        "build" | "make" | "compile" => Some(ToolKind::Build),
        "lint" | "format" | "clippy" | "eslint" | "ruff" | "pylint" | "flake8" => Some(ToolKind::Lint),
        "test" | "tests" | "pytest" | "jest" | "vitest" => Some(ToolKind::Test),
        _ => None,
    }
}
