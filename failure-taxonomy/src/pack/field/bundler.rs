//! What builds the web's front ends and documents: bundlers, stylesheet and template compilers, site and paper generators,
//! and the smaller languages' compilers that say a missing module in words of their own.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{CompileError, LintError, MissingDependency, TypeError};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Bundlers
    decisive("bundler.error-class", "error: ", CompileError, "[!] RollupError: a.js (2:6): Unexpected token", "an error: x").pattern(r"^(?:\[\S+\] |Error: |Uncaught )?\w*(?:Rollup|Compile|Compilation|Compiler|Build|Bundle|Transform|CssSyntax|Template\w*|ModuleBuild|ModuleParse)(?:Failure)?Error: "),
    summary("parcel.failed", "build failed.", CompileError, "\u{1f6a8} Build failed.", "the build failed. x").tool("parcel").pattern(r"^Build failed\.$"),
    decisive("parcel.transformer", "@parcel/transformer", CompileError, "@parcel/transformer-js: Unexpected token `=`.", "@parcel/transformer").tool("parcel").pattern(r"^@parcel/transformer-\w+: "),
    decisive("parcel.resolver", "@parcel/core: failed to resolve", MissingDependency, "@parcel/core: Failed to resolve './x.js' from './main.js'", "resolved").tool("parcel"),
    decisive("metro.bundling", "bundling failed", CompileError, "error: bundling failed: SyntaxError in App.js", "bundling").tool("metro").pattern(r"(?i)^(?:\w+ )?error:? bundling failed|^\w+ bundling failed"),
    summary("turbopack.failed", "turbopack build failed", CompileError, "Error: Turbopack build failed with 2 errors:", "turbopack build").tool("turbopack"),
    summary("swc.failed", "with swc.", CompileError, "Failed to compile 1 file with swc.", "Successfully compiled: 1 file with swc (20ms)").tool("swc").pattern(r"^Failed to compile [1-9]"),
    summary("asc.failed", "compile error(s)", CompileError, "FAILURE 2 compile error(s)", "SUCCESS 0 compile error(s)").tool("asc").pattern(r"[1-9]\d* compile error\(s\)"),
    summary("rescript.bug", "we've found a bug for you!", CompileError, "  We've found a bug for you!", "a bug").tool("rescript"),
    summary("rescript.syntax", "syntax error!", CompileError, "  Syntax error!", "no syntax error!").tool("rescript").line_start(),
    summary("ember.build", "build error (", CompileError, "Build Error (broccoli-persistent-filter:Babel) in app/app.js", "build error (x)").tool("ember").pattern(r"^Build Error \([\w:> -]+\)"),
    summary("gatsby.failed", "failed building production", CompileError, "failed Building production JavaScript and CSS bundles - 3.2s", "building production").tool("gatsby"),
    decisive("gyp.build", "gyp err! build error", CompileError, "gyp ERR! build error", "gyp info ok").tool("node-gyp"),
    decisive("gyp.configure", "gyp err! configure error", CompileError, "gyp ERR! configure error", "gyp info ok").tool("node-gyp"),
    decisive("gyp.python", "gyp err! find python", MissingDependency, "gyp ERR! find Python You need to install the latest version of Python.", "gyp info find Python").tool("node-gyp").pattern(r"You need to install|Python is not set|Could not find"),
    summary("svelte-check.found", "svelte-check found", TypeError, "svelte-check found 2 errors and 1 warning in 1 file", "svelte-check found 0 errors and 0 warnings").tool("svelte-check").pattern(r"found [1-9]\d* errors?"),
    decisive("flow.error", "error -", TypeError, "Error ------------------------------ src/a.js:3:5", "error - x").tool("flow").pattern(r"^Error [-\xe2\x94\x88\x80]{4,} \S+:\d+:\d+"),
    success("rollup.created", "created ", "created dist/bundle.js in 1.2s", "created").pattern(r"^created \S.* in [\d.]+m?s$"),

    // Stylesheets and templates
    decisive("sass.place", "root stylesheet", CompileError, "  a.scss 2:13  root stylesheet", "the root stylesheet").tool("sass").pattern(r"^\S+ \d+:\d+ +root stylesheet"),
    decisive("less.parse", "parseerror: ", CompileError, "ParseError: Unrecognised input in /x/a.less on line 3, column 1:", "ParseError: no element found: line 1").tool("less").pattern(r"ParseError: .* on line \d+"),
    decisive("less.name", "nameerror: ", CompileError, "NameError: variable @x is undefined in /x/a.less on line 3, column 1:", "NameError: name 'x' is not defined").tool("less").pattern(r"NameError: .* on line \d+"),
    decisive("liquid.exception", "liquid exception:", CompileError, "  Liquid Exception: Liquid syntax error (line 3): Unknown tag 'x' in /x/a.md", "liquid").tool("jekyll"),
    decisive("hugo.build", "error building site:", CompileError, "Error: error building site: render: failed to render pages", "building sites").tool("hugo"),
    decisive("jinja.syntax", "jinja2.exceptions.templatesyntaxerror", CompileError, "jinja2.exceptions.TemplateSyntaxError: Encountered unknown tag 'endblok'.", "jinja2").tool("jinja"),

    // TeX and documents
    decisive("latex.package", "' not found.", MissingDependency, "! LaTeX Error: File `siunitx.sty' not found.", "File `a' found").tool("latex").pattern(r"File `[^']+\.(?:sty|cls|def|ldf|fd)' not found\."),
    decisive("latex.missing", "! missing ", CompileError, "! Missing $ inserted.", "missing").tool("latex").line_start(),
    decisive("latex.extra", "! extra ", CompileError, "! Extra }, or forgotten $.", "extra").tool("latex").line_start(),
    decisive("latex.misplaced", "! misplaced ", CompileError, "! Misplaced alignment tab character &.", "misplaced").tool("latex").line_start(),
    decisive("latex.stop", "! emergency stop", CompileError, "! Emergency stop.", "emergency").tool("latex").line_start(),
    decisive("latex.ended", "! paragraph ended before", CompileError, "! Paragraph ended before \\foo was complete.", "paragraph").tool("latex").line_start(),
    decisive("latex.package-error", "! package ", CompileError, "! Package inputenc Error: Unicode character not set up", "! package").tool("latex").pattern(r"^! (?:Package|Class) \S+ [Ee]rror"),
    decisive("latex.file-line", ".tex:", CompileError, "./a.tex:12: Undefined control sequence.", "./a.tex:12: warning").tool("latex").pattern(r"\.tex:\d+: (?:Undefined|Missing|LaTeX Error|Package \S+ Error|Extra|Misplaced|Paragraph|Too many|Runaway|Emergency|Argument|Use of|Illegal)"),
    summary("latexmk.errors", "latexmk: errors, so i did not complete", CompileError, "Latexmk: Errors, so I did not complete making targets", "latexmk").tool("latexmk"),
    suggestive("latexmk.gone", "latexmk: sometimes, the -f option", CompileError, "Latexmk: Sometimes, the -f option can be used to get latexmk", "latexmk").tool("latexmk"),
    decisive("asciidoctor.error", "asciidoctor: ", CompileError, "asciidoctor: ERROR: a.adoc: line 3: unterminated table block", "asciidoctor: WARNING: a.adoc: line 3: x").tool("asciidoctor").pattern(r"^asciidoctor: (?:ERROR|FAILED): "),
    suggestive("docutils.error", ": error: ", LintError, "a.rst:3: ERROR: Unknown directive type \"foo\".", "a.rst:3: WARNING: x").tool("docutils").pattern(r"\.(?:rst|md|txt):\d+: (?:\((?:ERROR|SEVERE)/\d\)|ERROR:|SEVERE:|CRITICAL:)"),

    // Modules that a compiler of a smaller language cannot find
    decisive("d.module", "unable to read module", MissingDependency, "a.d(1): Error: unable to read module `vibe`", "read module").tool("dmd"),
    decisive("d.module-file", "which cannot be read", MissingDependency, "a.d(1): Error: module `vibe` is in file 'vibe.d' which cannot be read", "cannot be read").tool("dmd").pattern(r"module .* is in file"),
    decisive("pascal.unit", "can't find unit ", MissingDependency, "a.pas(3,6) Fatal: Can't find unit Synapse used by App", "find unit").tool("fpc"),
    decisive("pascal.unit-of", " fatal: cannot find ", MissingDependency, "a.pas(9,51) Fatal: Cannot find ShlObj used by main", "cannot find").tool("lazarus").pattern(r"Cannot find \S+ used by "),
    decisive("vala.package", "not found in specified vala api directories", MissingDependency, "error: Package `libsoup-9' not found in specified Vala API directories or GObject-Introspection GIR directories", "vala").tool("valac"),
    decisive("crystal.file", "error: can't find file '", MissingDependency, "Error: can't find file 'kemal'", "can't find").tool("crystal"),
    decisive("racket.collection", "collection not found", MissingDependency, "standard-module-name-resolver: collection not found", "collection").tool("racket"),
    decisive("solidity.source", "\" not found: file", MissingDependency, "Error: Source \"@openzeppelin/contracts/token.sol\" not found: File not found.", "source").tool("solc").pattern(r"Source \x22[^\x22]+\x22 not found"),
    decisive("haxe.type", "type not found : ", MissingDependency, "src/Main.hx:3: characters 8-20 : Type not found : openfl.Lib", "types found").tool("haxe"),
    decisive("prolog.library", "source_sink `library(", MissingDependency, "ERROR:    source_sink `library(nolib)' does not exist", "library").tool("swipl").pattern(r"does not exist"),
    decisive("sbcl.system", "component \"", MissingDependency, "Component \"cl-ppcre\" not found", "component \"x\"").tool("asdf").pattern(r"^Component \x22[^\x22]+\x22 not found"),
    decisive("coq.library", "cannot find a physical path bound to logical path", MissingDependency, "Error: Cannot find a physical path bound to logical path mathcomp.", "logical path").tool("coq"),
    decisive("agda.module", "failed to find source of module", MissingDependency, "Failed to find source of module Data.Nat in any of the following locations:", "source of module").tool("agda"),
    decisive("lean.module", "unknown module prefix '", MissingDependency, "error: unknown module prefix 'Mathlib'", "module prefix").tool("lean"),
    decisive("zig.package", "no module named '", MissingDependency, "src/main.zig:1:21: error: no module named 'zap' available within module root", "modules").tool("zig").pattern(r"\.zig:\d+:\d+: error: no (?:module|package) named"),
];
