//! What sets documents: TeX, AsciiDoc, reStructuredText, Markdown, the site generators, and what checks their prose.

use super::{Row, decisive, suggestive, summary};
use recovery_types::ErrorType::{CommandNotFound, CompileError, LintError, MissingDependency};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("liquid.exception", "liquid exception:", CompileError, "  Liquid Exception: Liquid syntax error (line 3): Unknown tag 'x' in /x/a.md", "liquid").tool("jekyll"),
    decisive("hugo.build", "error building site:", CompileError, "Error: error building site: render: failed to render pages", "building sites").tool("hugo"),
    decisive("latex.package", "' not found.", MissingDependency, "! LaTeX Error: File `siunitx.sty' not found.", "File `a' found").tool("latex").pattern(r"File `[^']+\.(?:sty|cls|def|ldf|fd)' not found\."),
    decisive("latex.missing", "! missing ", CompileError, "! Missing $ inserted.", "missing").tool("latex").line_start(),
    decisive("latex.extra", "! extra ", CompileError, "! Extra }, or forgotten $.", "extra").tool("latex").line_start(),
    decisive("latex.misplaced", "! misplaced ", CompileError, "! Misplaced alignment tab character &.", "misplaced").tool("latex").line_start(),
    decisive("latex.stop", "! emergency stop", CompileError, "! Emergency stop.", "emergency").tool("latex").line_start(),
    decisive("latex.ended", "! paragraph ended before", CompileError, "! Paragraph ended before \\foo was complete.", "paragraph").tool("latex").line_start(),
    decisive("latex.package-error", "! package ", CompileError, "! Package inputenc Error: Unicode character not set up", "! package").tool("latex").pattern(r"^! (?:Package|Class) \S+ [Ee]rror"),
    decisive("latex.file-line", ".tex:", CompileError, "./a.tex:12: Undefined control sequence.", "./a.tex:12: warning").tool("latex").pattern(r"\.tex:\d+: (?:Undefined|Missing|LaTeX Error|Package \S+ Error|Extra|Misplaced|Paragraph|Too many|Runaway|Emergency|Argument|Use of|Illegal)"),
    decisive("latex.error", "! latex error:", CompileError, "! LaTeX Error: File `foo.sty' not found.", "latex").tool("latex"),
    decisive("latex.undefined", "! undefined control sequence", CompileError, "! Undefined control sequence.", "undefined").tool("latex"),
    decisive("latex.emergency", "==> fatal error occurred", CompileError, "!  ==> Fatal error occurred, no output PDF file produced!", "fatal").tool("latex"),
    summary("latexmk.errors", "latexmk: errors, so i did not complete", CompileError, "Latexmk: Errors, so I did not complete making targets", "latexmk").tool("latexmk"),
    suggestive("latexmk.gone", "latexmk: sometimes, the -f option", CompileError, "Latexmk: Sometimes, the -f option can be used to get latexmk", "latexmk").tool("latexmk"),
    decisive("asciidoctor.error", "asciidoctor: ", CompileError, "asciidoctor: ERROR: a.adoc: line 3: unterminated table block", "asciidoctor: WARNING: a.adoc: line 3: x").tool("asciidoctor").pattern(r"^asciidoctor: (?:ERROR|FAILED): "),
    suggestive("docutils.error", ": error: ", LintError, "a.rst:3: ERROR: Unknown directive type \"foo\".", "a.rst:3: WARNING: x").tool("docutils").pattern(r"\.(?:rst|md|txt):\d+: (?:\((?:ERROR|SEVERE)/\d\)|ERROR:|SEVERE:|CRITICAL:)"),
    decisive("markdownlint.code", " md0", LintError, "README.md:3 MD013/line-length Line length [Expected: 80; Actual: 120]", "md").tool("markdownlint").pattern(r"\bMD\d{3}(?:/|\b)"),
    summary("htmlhint.count", "scanned ", LintError, "Scanned 1 files, found 2 errors in 1 files (10 ms)", "Scanned 1 files, no errors found (10 ms)").tool("htmlhint").pattern(r"found [1-9]\d* errors?"),
    summary("vale.count", " suggestion", LintError, "\u{2716} 2 errors, 0 warnings and 1 suggestion in 1 file.", "\u{2714} 0 errors, 0 warnings and 0 suggestions in 1 file.").tool("vale").pattern(r"^[1-9]\d* errors?, \d+ warnings? and \d+ suggestions? in \d+ files?").aside(),
    summary("mkdocs.strict", "warnings in strict mode", LintError, "Aborted with 2 warnings in strict mode!", "strict mode").tool("mkdocs"),
    summary("sphinx.strict", "with warnings treated as errors", LintError, "build finished with problems, 2 warnings (with warnings treated as errors).", "warnings").tool("sphinx").pattern(r"finished with problems").aside(),
    decisive("rstcheck.level", "(error/", LintError, "a.rst:3: (ERROR/3) Unknown directive type \"foo\".", "(error/)").tool("rstcheck").pattern(r"\((?:ERROR|SEVERE)/\d\)"),
    decisive("chktex.place", ".tex line ", LintError, "Warning 1 in a.tex line 3: Command terminated with space.", "warning in a.tex").tool("chktex").pattern(r"^(?:Warning|Error) \d+ in \S+ line \d+:").aside(),
    decisive("pandoc.engine", "not found. please select a different", CommandNotFound, "xelatex not found. Please select a different --pdf-engine or install xelatex", "not found"),
    suggestive("alex.insensitive", "may be insensitive", LintError, "`man` may be insensitive, use `people` instead", "insensitive").aside(),
    suggestive("write-good.passive", "passive voice", LintError, "\"was stolen\" may be passive voice on line 1", "passive"),
    summary("doc8.count", "total accumulated errors", LintError, "Total accumulated errors = 2", "Total accumulated errors = 0").pattern(r"= [1-9]").tool("doc8"),
];
