//! Exactly the tables of the failure-type document: plain substrings, wherever they stand.
//!
//! The document gives only the failure type; the error type beside it is the nearest one of the closed list.

use super::{Indicator, Strength, Table, count, flatten};
use recovery_types::ErrorType::{self, CompileError, ContextExhausted, MissingDependency, TestFailure};

/// The document's indicators in its order of priority.
const TABLES: &[Table] = &[BROKEN_BUILD, VERIFICATION_FAILED, CONTEXT_EXHAUSTED];

/// Every row of the pack.
pub(crate) static ROWS: [Indicator<'static>; count(TABLES)] = flatten(TABLES);

#[rustfmt::skip]
const BROKEN_BUILD: Table = &[
    row("documented.syntax-error",       "syntax error",       CompileError,      "bash: syntax error near `fi'",          "SyntaxError: invalid syntax"),
    row("documented.compilation-error",  "compilation error",  CompileError,      "COMPILATION ERROR :",                   "compilation finished"),
    row("documented.module-not-found",   "module not found",   MissingDependency, "Module not found: './utils'",           "ModuleNotFoundError: 'yaml'"),
    row("documented.import-error",       "import error",       MissingDependency, "import error in plugin",                "ImportError: cannot import name"),
    row("documented.cannot-find-module", "cannot find module", MissingDependency, "Error: Cannot find module './utils'",   "cannot find the module"),
    row("documented.unexpected-token",   "unexpected token",   CompileError,      "SyntaxError: Unexpected token }",       "unexpected tok"),
    row("documented.indentation-error",  "indentation error",  CompileError,      "an indentation error on line 3",        "IndentationError: unexpected indent"),
    row("documented.parse-error",        "parse error",        CompileError,      "PHP Parse error: syntax error",         "could not parse the error"),
];

#[rustfmt::skip]
const VERIFICATION_FAILED: Table = &[
    row("documented.verification-failed", "verification failed", TestFailure, "Verification failed for step 2",           "verification passed"),
    row("documented.expected",            "expected",            TestFailure, "AssertionError: Expected 200 but got 404", "expecting 200"),
    row("documented.assertion",           "assertion",           TestFailure, "AssertionError: Expected 200 but got 404", "assert_eq!(left, right)"),
    row("documented.test-failed",         "test failed",         TestFailure, "1 test failed",                            "tests failed: 1"),
    row("documented.status-code",         "status code",         TestFailure, "unexpected status code 404",               "status: 404"),
];

#[rustfmt::skip]
const CONTEXT_EXHAUSTED: Table = &[
    row("documented.context",        "context",        ContextExhausted, "Error: Maximum context length (128k tokens) exceeded", "with the text"),
    row("documented.token-limit",    "token limit",    ContextExhausted, "token limit reached",                                  "tokens limited"),
    row("documented.maximum-length", "maximum length", ContextExhausted, "exceeds the maximum length",                           "maximum size"),
];

const fn row(
    id: &'static str,
    text: &'static str,
    error_type: ErrorType,
    hits: &'static str,
    misses: &'static str,
) -> Indicator<'static> {
    Indicator::new(id, text, error_type, Strength::Decisive).examples(hits, misses)
}
