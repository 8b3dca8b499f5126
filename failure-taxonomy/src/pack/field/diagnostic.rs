//! The line shapes that compilers and checkers share, whatever their names: a place with a severity, a severity with a
//! place, counts of errors, and the words that only a compiler says.

use super::{Row, decisive, suggestive, summary};
use recovery_types::ErrorType::{CompileError, LintError, MissingDependency, TypeError};

/// A place in a file: a.x(3,5), a.x:3.5-9, "a.x", line 3, a.x:[3,5].
macro_rules! place {
    () => {
        r#"^"?(?:[A-Za-z]:)?[^\s:"(|][^:"(|]*"?(?: ?\(\d+(?:[,:.-] ?\d+)*\)|:\d+(?:[:.] ?\d+)*(?:-\d+(?:[:.]\d+)?)?|[,:]? line \d+(?:[.,:(]\d+\)?|,? col(?:umn)? \d+)?|:?\[\d+, ?\d+\])"#
    };
}

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // A place, then the severity: file(3,5): Error X1:, file:3.5-9: Error:, "file", line 3: fatal error:, file:[3,5] error:
    decisive("diagnostic.place-error", "error", CompileError, "lib/a.d(9): Error: undefined identifier `x`", "lib/a.d(9): Errors are fun")
        .pattern(concat!(place!(), r"(?: ?:)? *(?:col: \d+ )?(?:[Ff]atal |[Ss]evere |[Ss]yntax |[Ii]nternal |[Ll]exical |[Ss]emantic |[Pp]arse )?[Ee]rror *(?:[:!]|\[|[A-Z]{1,8}-?\d+\b|#?\d+\b|\()")),
    // A place, then what a parser could not read
    decisive("diagnostic.place-syntax", "error", CompileError, "top.v:12: syntax error", "top.v:12: a syntax error")
        .pattern(r#"^"?[^\s:"(|]+"?(?:\(\d+(?:,\d+)*\)|:\d+(?:[:.]\d+)*|, line \d+(?:, char \d+)?) ?: ?(?:[Ss]yntax|[Pp]arse|[Pp]arsing) error\b"#),
    // The severity, then the place: Error E2010 ping.c 15:, %Error: t/a.v:8:8:, ccom: Error: a.c, line 2:
    decisive("diagnostic.error-place", "error", CompileError, "Error: src/parser.x:3:5: unknown name `y`", "ERROR Foo.java:123 - retrying later")
        .pattern(r#"(?i)^\W{0,4}(?:[\w./-]+: )?(?:fatal |syntax |parse |static |script )?error(?:-\w+)?(?:[ -]#?[A-Z]{0,6}\d+)?(?: in| at)?:? +"?(?:[A-Za-z]:)?[^\s:"(\[]+\.\w+"?(?::\d+(?::\d+)?:|:\d+[\d.:-]* (?:syntax|parse) error|:? ?\(\d+(?:[,:]\d+)*\) ?:|:?\[\d+, ?\d+\]:|,? line \d+:| \d+:)"#),
    suggestive("diagnostic.error-line", "error", CompileError, "Error on line 3 of prog.f: unclassifiable statement", "errors of the line of business").pattern(r"(?i)\berror\b.{0,80}\bline[ =:]+\d+"),
    suggestive("diagnostic.error-shader", "error: ", CompileError, "ERROR: 0:4: 'position' : undeclared identifier", "ERROR: 0 files").pattern(r"^(?:ERROR|Error): \d+:\d+: "),
    suggestive("diagnostic.code", "error ", CompileError, "light.exe : error LGHT0103 : The system cannot find the file", "error code 3").pattern(r"(?:^|[:\]] ?)(?:fatal )?error [A-Z]{2,8}\d{2,5} ?:"),
    suggestive("diagnostic.caught", "; caught error:", CompileError, "; caught ERROR:", "caught error"),
    decisive("diagnostic.tagged-place", "[error:", CompileError, "[ERROR:/x/a.thrift:4] (last token was '2')", "[error: x]").pattern(r"^\[(?:ERROR|FAILURE):\S+:\d+\] "),
    suggestive("diagnostic.place-unexpected", ": unexpected ", CompileError, "a.scm:2:16: unexpected end of input while searching for: )", "an: unexpected guest").pattern(r"^\S+:\d+:\d+: unexpected "),
    // Reports that point with a frame, as many Rust and JavaScript tools draw them
    suggestive("diagnostic.frame", "\u{256d}\u{2500}[", CompileError, "   \u{256d}\u{2500}[src/a.x:3:5]", "\u{256d}\u{2500}\u{2500}").pattern(r"\[\s?\S+:\d+:\d+\s?\]"),
    suggestive("diagnostic.frame-square", "\u{250c}\u{2500}", CompileError, "   \u{250c}\u{2500} src/a.typ:3:5", "\u{250c}\u{2500} title").pattern(r"\S+:\d+:\d+"),
    suggestive("diagnostic.arrow", "--> ", CompileError, "  --> src/a.cairo:3:5", "a --> b").pattern(r"^--> \S+:\d+:\d+$"),
    suggestive("diagnostic.bracket-code", "error[", CompileError, "error[E03002]: unbound module", "error[0] = 1").pattern(r"^error\[[A-Z]+\d+\]: "),
    decisive("diagnostic.characters", ", characters ", CompileError, "Error: in a.x, line 3, characters 5-9: bad", "20 characters long").pattern(r"(?i)\berror\b.*, line \d+, characters \d+|:\d+: characters \d+-\d+ ?: (?:[^Ww]|[Ww][^a])"),

    // Counts
    summary("diagnostic.failed-count", "compilation failed: ", CompileError, "Compilation failed: 2 error(s), 0 warnings", "Compilation failed: 0 error(s)").pattern(r"^Compilation failed: [1-9]"),
    summary("diagnostic.found-compiling", " compiling ", CompileError, "Found 2 semantic errors compiling \"A.java\":", "Found 2 files compiling now").pattern(r"(?i)\b[1-9]\d* (?:\w+ )?errors? (?:while |when )?compiling "),
    suggestive("diagnostic.count", " error", CompileError, "2 error(s) during elaboration.", "0 errors").pattern(r"(?i)(?:^|[^\w.-])[1-9]\d* (?:\w+ )?error(?:s|\(s\))?(?:$|[^\w ]| (?:$|[^o]|o[^c]))"),
    suggestive("diagnostic.count-after", "error", CompileError, "Errors: 3, Warnings: 0", "Errors: 0, Warnings: 3").pattern(r"(?i)\berrors?(?:\(s\))?(?: count| found)? ?[=:] ?[1-9]\d*(?:$|[,;) ])"),
    suggestive("diagnostic.issues", "found", LintError, "Found 3 problems in 2 files", "Found 0 problems").pattern(r"(?i)\b[1-9]\d* (?:\w+ )?(?:lints?|problems?|issues?|offen[cs]es?|violations?|smells?|findings?)\b(?: (?:were|was))? ?(?:found|detected)|found:? [1-9]\d* (?:\w+ )?(?:lints?|problems?|issues?|offen[cs]es?|violations?|findings?)\b"),
    suggestive("diagnostic.detected", " detected", LintError, "82 files inspected, 23 lints detected", "no lints detected").pattern(r"(?i)\b[1-9]\d* (?:\w+ )?(?:lints?|problems?|issues?|offen[cs]es?|violations?|smells?) detected"),

    // Words
    suggestive("diagnostic.did-not-compile", "compil", CompileError, "error: compilation aborted", "compiled in 3 s").pattern(r"(?i)\bcompil\w+ (?:aborted|failed|failure|terminated|errors?\b)|\b(?:failed|unable|could not|cannot|can't) (?:to )?(?:be )?compile|errors? (?:while|during|in) compil"),
    suggestive("diagnostic.did-not-build", "failed", CompileError, "The build failed with 2 problems", "the build passed").pattern(r"(?i)\bbuild(?:ing)?\b.{0,20} (?:has )?failed\b|\bfailed (?:to build|building)\b"),
    suggestive("diagnostic.build-unsuccessful", "unsuccessful", CompileError, "Build unsuccessful, 2 problems", "unsuccessful login").pattern(r"(?i)\bbuild(?:ing)?\b.{0,20} unsuccessful"),
    suggestive("diagnostic.did-not-link", "link", CompileError, "Error: linking failed", "a link").pattern(r"(?i)\b(?:link(?:ing|er|age)?) (?:command )?(?:failed|error)|\bunresolved (?:external|symbol|reference)"),
    suggestive("diagnostic.parse", "parse error", CompileError, "SCRIPT ERROR: Parse Error: Unexpected indent.", "parse errors").word(),
    suggestive("diagnostic.undeclared", "undeclared", CompileError, "'gl_Position' : undeclared identifier", "an undeclared war").pattern(r"(?i)\bundeclared (?:identifier|variable|name|function|symbol|type)"),
    suggestive("diagnostic.undefined", "undefined ", CompileError, "Undefined symbol foo (referred from main.o).", "is undefined").pattern(r"(?i)\bundefined (?:symbol|identifier|variable|external|control sequence|label)"),
    suggestive("diagnostic.unknown", "unknown ", CompileError, "Unknown identifier : x", "the unknown soldier").pattern(r"(?i)\b(?:unknown|unresolved|unrecognized|unrecognised) (?:identifier|directive|mnemonic|instruction|opcode|type name|symbol|statement)"),
    suggestive("diagnostic.mismatch", "type mismatch", CompileError, "        Type mismatch between", "mismatches").word(),
    suggestive("diagnostic.not-declared", "not declared", CompileError, "object \"clk\" is not declared", "as declared").word(),
    suggestive("diagnostic.unexpected-token", "unexpected token", CompileError, "unexpected token: '}'", "tokens").word(),
    suggestive("diagnostic.expecting", ", expecting ", CompileError, "unexpected T_STRING, expecting ';'", "we are expecting").pattern(r"(?i)\b(?:unexpected|found) .*, expecting "),
    suggestive("diagnostic.unbound", "unbound ", CompileError, "b.rkt:2:11: foo: unbound identifier", "unbounded").pattern(r"(?i)\bunbound (?:identifier|variable|name|value|type|constructor|symbol)"),
    suggestive("diagnostic.expected", "expected ", CompileError, "a.rkt:3:0: read-syntax: expected a `)` to close `(`", "as expected by us").pattern(r"\b(?:expected|missing) (?:an? )?(?:[`'\x22][^\s`'\x22]{1,12}[`'\x22]|\xe2\x80\x98[^\s]{1,12}\xe2\x80\x99|identifier|expression|declaration|semicolon|token)"),
    suggestive("diagnostic.bad-rule", "unrecognized rule", CompileError, "a.l:2: unrecognized rule", "rules"),
    suggestive("diagnostic.no-such-module", "module", CompileError, "Unknown module type: nomod", "the module type").pattern(r"(?i)\b(?:unknown|undefined|missing|unresolved) module\b"),

    // What only linters find fault with
    suggestive("diagnostic.never-used", "never used", LintError, "'x' is assigned a value but never used", "it is never us").pattern(r"(?i)\bnever used\b"),
    suggestive("diagnostic.unused", "unused ", LintError, "a.lua:1:7: unused variable x", "an unused gift").pattern(r"(?i)\bunused (?:variable|import|function|argument|parameter|local|value|method|class|label|private|export|dependency|dependencies)"),
    suggestive("diagnostic.whitespace", "trailing ", LintError, "a.md:3: Trailing whitespace", "trailing behind").pattern(r"(?i)\btrailing (?:white ?space|spaces?|comma|newline|blank)"),
    suggestive("diagnostic.long-line", "too long", LintError, "a.py:3: line too long (93 > 79)", "it took too long").pattern(r"(?i)\bline (?:is )?too long\b"),
    suggestive("diagnostic.line-length", "line length", LintError, "a.md:3 Line length [Expected: 80; Actual: 93]", "the line is long").word(),
    suggestive("diagnostic.docstring", "missing doc", LintError, "a.py:1: Missing docstring", "a missing doctor").pattern(r"(?i)\bmissing (?:docstring|documentation|doc comment|javadoc)"),
    suggestive("diagnostic.columns-warning", "  warning  ", LintError, "  1:30-1:33  warning  `he` may be insensitive  he-she", "  warning  x").pattern(r"^\d+:\d+(?:-\d+:\d+)?\s+warning\s+").aside(),
    decisive("diagnostic.columns-error", "  error  ", LintError, "  63:42-63:95  error  Do not use literal URLs  no-literal-urls", "  error  x").pattern(r"^\d+:\d+-\d+:\d+\s+error\s+"),
    decisive("diagnostic.columns-rule", "error: ", LintError, "ERROR: 3:1  no-var-keyword  Forbidden 'var' keyword", "ERROR: 3:1 x").pattern(r"^ERROR: \d+:\d+ +[a-z]+(?:-[a-z]+)+ "),
    summary("diagnostic.there-are", "there are ", LintError, "csslint: There are 4 problems in a.css.", "There are 0 problems in a.css.").pattern(r"There are [1-9]\d* (?:lint )?(?:problems|issues|violations|offen[cs]es)\b"),

    // Other languages than English
    decisive("diagnostic.french", ": erreur", CompileError, "a.c:2:21: erreur fatale : x.h : Aucun fichier ou dossier de ce type", "une erreur: non").pattern(r"^\S+:\d+(?::\d+)?: erreur(?: fatale| de syntaxe)? ?: "),
    decisive("diagnostic.german", ": fehler: ", CompileError, "a.c:2:21: Fehler: \u{201e}x\u{201c} nicht deklariert", "Fehler: nein").pattern(r"^\S+:\d+(?::\d+)?: (?:schwerwiegender )?Fehler: "),
    decisive("diagnostic.italian", ": errore: ", CompileError, "a.c:2:21: errore: x non dichiarato", "errore: no").pattern(r"^\S+:\d+(?::\d+)?: errore: "),
    decisive("diagnostic.portuguese", ": erro: ", CompileError, "a.c:2:21: erro: x n\u{e3}o foi declarado", "erro: x").pattern(r"^\S+:\d+(?::\d+)?: erro(?: fatal)?: "),
    decisive("diagnostic.russian", "\u{43e}\u{448}\u{438}\u{431}\u{43a}\u{430}: ", CompileError, "a.c:2:21: \u{43e}\u{448}\u{438}\u{431}\u{43a}\u{430}: x", "\u{43e}\u{448}\u{438}\u{431}\u{43a}\u{430}: x").pattern(r"^\S+:\d+(?::\d+)?: "),
    decisive("diagnostic.chinese", "\u{9519}\u{8bef}", CompileError, "a.c:2:21: \u{9519}\u{8bef}\u{ff1a}x", "\u{9519}\u{8bef}").pattern(r"^\S+:\d+(?::\d+)?: "),
    decisive("diagnostic.japanese", "\u{30a8}\u{30e9}\u{30fc}: ", CompileError, "A.java:3: \u{30a8}\u{30e9}\u{30fc}: x", "\u{30a8}\u{30e9}\u{30fc}: x").pattern(r"^\S+:\d+(?::\d+)?: "),
    decisive("diagnostic.rule-error", "error[", LintError, "error[no-explicit-any]: `any` type is not allowed", "error[0] = 1").pattern(r"^error\[[a-z]+(?:-[a-z]+)+\]: "),
    summary("diagnostic.diagnostics", "diagnostic", TypeError, "Found 1 diagnostic", "Found 0 diagnostics").pattern(r"^Found [1-9]\d* diagnostics?$"),
    summary("diagnostic.findings", " finding", LintError, "5 findings (1 suppressed): 0 informational, 2 low, 1 medium, 1 high", "0 findings (0 suppressed)").pattern(r"^[1-9]\d* findings? \("),
    summary("diagnostic.total-errors", "total errors", LintError, "Total errors found: 2", "Total errors found: 0").pattern(r"(?i)^total errors(?: found)?: [1-9]"),
    decisive("diagnostic.dev-package", "development ", MissingDependency, "  Is the wxWidgets development package installed?", "development packages").pattern(r"(?i)\bdevelopment (?:packages?|libraries|headers|files)\b.{0,30}\b(?:installed\?|missing|required|(?:was|were|is|are) not (?:found|installed))"),
    suggestive("diagnostic.install-hint", "install", MissingDependency, "Error: Doxygen not found. Please install it and run again.", "not found; see the docs").pattern(r"(?i)\b(?:not found|could not be found|missing|not installed|unable to find|cannot find|could not find)\b.{0,60}\b(?:please|you (?:need to|may need to|must|should|can)|try)\b.{0,30}\binstall(?:ing)?\b"),
];
