//! Languages without a table of their own: Perl, Lua, R, Julia, Tcl, awk, Pascal, D, Nim, Crystal, Solidity, Prolog and
//! other small ones.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{CompileError, LintError, MissingDependency, RuntimeException, TestFailure};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Perl
    decisive("perl.syntax", "syntax error at", CompileError, "syntax error at a.pl line 3, near \"}\"", "syntax errors").tool("perl").pattern(r"syntax error at \S+ line \d+"),
    decisive("perl.aborted", "aborted due to compilation errors", CompileError, "Execution of a.pl aborted due to compilation errors.", "aborted").tool("perl"),
    decisive("perl.compile-failed", "begin failed--compilation aborted", CompileError, "BEGIN failed--compilation aborted at a.pl line 3.", "begin").tool("perl"),
    summary("perl.install-module", "you may need to install the", MissingDependency, "Can't locate HTTP/Request.pm in @INC (you may need to install the HTTP::Request module) (@INC contains: lib)", "you may need to install the update").tool("perl").pattern(r"install the [\w:]+ module\)"),
    decisive("perl.locate", "can't locate ", MissingDependency, "Can't locate JSON.pm in @INC (you may need to install the JSON module)", "can't locate it").tool("perl").pattern(r"in @INC"),
    decisive("perl.die", ".pl line", RuntimeException, "Can't call method \"x\" on an undefined value at a.pl line 3.", "line 3 of 4").tool("perl").pattern(r"^\S.* at \S+\.p[lm] line \d+\.$"),
    decisive("perl.cpan", "couldn't find module or a distribution", MissingDependency, "! Couldn't find module or a distribution Foo::Barr", "find module").tool("cpanm"),
    decisive("perlcritic.severity", "(severity: ", LintError, "a.pl: Code is not tidy at line 1, column 1.  See page 33 of PBP.  (Severity: 1)", "severity").tool("perlcritic"),

    // Lua, R, Julia, Tcl, awk
    decisive("lua.syntax", ".lua:", CompileError, "lua: a.lua:2: unexpected symbol near '+'", "lua: a.lua:2: attempt to call nil").tool("lua").pattern(r"\.lua:\d+: (?:unexpected symbol|'\S+' expected|unfinished|syntax error|malformed|<\w+> expected|'=' expected)"),
    decisive("lua.runtime", ".lua:", RuntimeException, "lua: a.lua:2: attempt to call a nil value (global 'foo')", "lua: ok").tool("lua").pattern(r"\.lua:\d+: (?:attempt to|bad argument)"),
    decisive("lua.module", "module '", MissingDependency, "lua: a.lua:1: module 'socket' not found:", "module 'x' found").tool("lua").pattern(r"module '[^']+' not found:"),
    summary("lua.busted", " / ", TestFailure, "3 successes / 1 failure / 0 errors / 0 pending : 0.004 seconds", "3 successes / 0 failures / 0 errors / 0 pending").tool("busted").pattern(r"^\d+ success(?:es)? / (?:[1-9]\d* failures?|\d+ failures? / [1-9]\d* errors?)"),
    decisive("lua.rocks", "no results matching query were found", MissingDependency, "Error: No results matching query were found for Lua 5.4.", "no results").tool("luarocks"),
    summary("luacheck.count", "total: ", LintError, "Total: 2 warnings / 1 error in 1 file", "Total: 0 warnings / 0 errors in 1 file").tool("luacheck").pattern(r"^Total: (?:[1-9]\d* warnings?|\d+ warnings? / [1-9])"),
    decisive("r.package", "there is no package called", MissingDependency, "Error in library(dplyr) : there is no package called 'dplyr'", "package").tool("R"),
    decisive("r.required", "required but not", MissingDependency, "Package required but not available: 'lubridate'", "required but not now").tool("R").pattern(r"^(?:Packages?|Namespace dependenc(?:y|ies)|VignetteBuilder packages?)(?: suggested or)? required but not (?:available|installed)"),
    decisive("r.dependency", "not available for package", MissingDependency, "ERROR: dependency 'rlang' is not available for package 'glue'", "a package").tool("R").pattern(r"^ERROR: dependenc(?:y|ies) "),
    decisive("r.parse", ": unexpected ", CompileError, "test-cart.R:4:1: unexpected '<'", "error: unexpected end").tool("R").pattern(r"\.[Rr]:\d+:\d+: unexpected |^Error: unexpected (?:symbol|'|string|numeric|input|end of input|INCOMPLETE)"),
    decisive("r.error", "error in ", RuntimeException, "Error in f(x) : object 'y' not found", "error in judgement").tool("R").pattern(r"^Error in .+ : "),
    suggestive("r.halted", "execution halted", RuntimeException, "Execution halted", "halted").tool("R"),
    summary("r.testthat", "[ fail ", TestFailure, "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]").tool("R").pattern(r"\[ FAIL [1-9]"),
    success("r.testthat-ok", "[ fail 0 |", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]", "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]"),
    decisive("lintr.rule", ": style: ", LintError, "R/a.R:3:5: style: [assignment_linter] Use <-, not =, for assignment.", "style: x").tool("lintr").pattern(r"^\S+:\d+:\d+: (?:style|warning|error): \[\w+_linter\]"),
    decisive("julia.error", "error: loaderror:", RuntimeException, "ERROR: LoadError: UndefVarError: x not defined", "load").tool("julia"),
    decisive("julia.package", "not found in current path", MissingDependency, "ERROR: ArgumentError: Package Foo not found in current path.", "path").tool("julia"),
    summary("julia.tests", "some tests did not pass:", TestFailure, "ERROR: Some tests did not pass: 3 passed, 1 failed, 0 errored, 0 broken.", "some tests").tool("julia"),
    decisive("tcl.package", "package ", MissingDependency, "can't find package tcltest", "a package is present").tool("tcl").pattern(r"^(?:can't find package \S+|package \S+ is not present$)"),
    suggestive("tcl.executing", "while executing", RuntimeException, "    while executing", "while executing it").tool("tcl").pattern(r"^while executing$"),
    suggestive("tcl.invoked", "invoked from within", RuntimeException, "    invoked from within", "invoked from within it").tool("tcl").pattern(r"^invoked from within$"),
    decisive("awk.syntax", "awk: ", CompileError, "awk: ./a:2:        ^ syntax error", "awk: x").tool("awk").pattern(r"syntax error|missing [)}]"),

    // Small languages that are compiled
    decisive("ada.raised", "raised ", RuntimeException, "raised CONSTRAINT_ERROR : main.adb:7 index check failed", "raised beds").tool("gnat").pattern(r"^raised [A-Z][A-Z_.]+ : "),
    decisive("d.module", "unable to read module", MissingDependency, "a.d(1): Error: unable to read module `vibe`", "read module").tool("dmd"),
    decisive("d.module-file", "which cannot be read", MissingDependency, "a.d(1): Error: module `vibe` is in file 'vibe.d' which cannot be read", "cannot be read").tool("dmd").pattern(r"module .* is in file"),
    decisive("d.exception", "core.exception.", RuntimeException, "core.exception.ArrayIndexError@app.d(3): index [9] is out of bounds for array of length 3", "import core.exception.x").tool("dmd").pattern(r"core\.exception\.\w+@\S+\(\d+\)"),
    decisive("pascal.unit", "can't find unit ", MissingDependency, "a.pas(3,6) Fatal: Can't find unit Synapse used by App", "find unit").tool("fpc"),
    decisive("pascal.unit-of", " fatal: cannot find ", MissingDependency, "a.pas(9,51) Fatal: Cannot find ShlObj used by main", "cannot find").tool("lazarus").pattern(r"Cannot find \S+ used by "),
    decisive("pascal.fatal", " fatal: ", CompileError, "app.pas(10) Fatal: There were 1 errors compiling module, stopping", "not fatal: x").tool("fpc").pattern(r"\.(?:pas|pp|lpr|inc|dpr)\(\d+(?:,\d+)?\) (?:Fatal|Error): "),
    decisive("pascal.error", ") error: ", CompileError, "app.pas(3,5) Error: Identifier not found \"x\"", ") error: x").tool("fpc").pattern(r"\.(?:pas|pp|lpr|inc|dpr)\(\d+(?:,\d+)?\) Error: "),
    decisive("pascal.aborted", "fatal: compilation aborted", CompileError, "Fatal: Compilation aborted", "compilation").tool("fpc"),
    decisive("nim.error", ") error: ", CompileError, "/x/app.nim(1, 17) Error: type mismatch: got 'string'", ") error: x").tool("nim").pattern(r"\.nims?\(\d+, \d+\) Error: "),
    decisive("nim.import", ") error: cannot open file", MissingDependency, "/x/app.nim(1, 8) Error: cannot open file: jester", "open file").tool("nim"),
    decisive("nim.unhandled", "unhandled exception:", RuntimeException, "Error: unhandled exception: index 9 not in 0 .. 2 [IndexDefect]", "exceptions").tool("nim"),
    decisive("zig.package", "no module named '", MissingDependency, "src/main.zig:1:21: error: no module named 'zap' available within module root", "modules").tool("zig").pattern(r"\.zig:\d+:\d+: error: no (?:module|package) named"),
    decisive("zig.panic", " panic: ", RuntimeException, "thread 4711 panic: index out of bounds: index 9, len 3", "no panic: x").tool("zig").pattern(r"^thread \d+ panic: "),
    decisive("vala.package", "not found in specified vala api directories", MissingDependency, "error: Package `libsoup-9' not found in specified Vala API directories or GObject-Introspection GIR directories", "vala").tool("valac"),
    decisive("crystal.place", ".cr:", CompileError, "In src/app.cr:3:1", "in src/app.cr:3:1 we see").tool("crystal").pattern(r"^In \S+\.cr:\d+:\d+$"),
    decisive("crystal.file", "error: can't find file '", MissingDependency, "Error: can't find file 'kemal'", "can't find").tool("crystal"),
    decisive("haxe.type", "type not found : ", MissingDependency, "src/Main.hx:3: characters 8-20 : Type not found : openfl.Lib", "types found").tool("haxe"),
    decisive("solidity.error", "parsererror:", CompileError, "ParserError: Expected ';' but got '}'", "error").tool("solc").pattern(r"^ParserError: "),
    decisive("solidity.place", ".sol:", CompileError, " --> contracts/Token.sol:12:9:", "see Token.sol:12").tool("solc").pattern(r"^--> \S+\.sol:\d+:\d+:?$"),
    decisive("solidity.source", "\" not found: file", MissingDependency, "Error: Source \"@openzeppelin/contracts/token.sol\" not found: File not found.", "source").tool("solc").pattern(r"Source \x22[^\x22]+\x22 not found"),
    decisive("slither.reference", "reference: https://github.com/crytic/slither", LintError, "Reference: https://github.com/crytic/slither/wiki/Detector-Documentation#reentrancy", "slither").tool("slither"),
    decisive("llvm.ir", ".ll:", CompileError, "llc: a.ll:1:2: error: expected top-level entity", "a.ll:1:2: warning").tool("llc").pattern(r"\.ll:\d+:\d+: error:"),
    decisive("protoc.error", ".proto:", CompileError, "a.proto:3:5: Expected \";\".", "a.proto:3:5: warning: unused import").tool("protoc").pattern(r"\.proto:\d+:\d+: (?:Expected|\S+ is not defined|Field|Missing|Unexpected|error)"),
    decisive("protoc.import", ".proto", MissingDependency, "common/id.proto: File not found.", "a.proto").tool("protoc").pattern(r"\.proto: File not found|Import \x22\S+\x22 was not found or had errors"),

    // Lisps, logic and proofs
    decisive("racket.collection", "collection not found", MissingDependency, "standard-module-name-resolver: collection not found", "collection").tool("racket"),
    decisive("prolog.library", "source_sink `library(", MissingDependency, "ERROR:    source_sink `library(nolib)' does not exist", "library").tool("swipl").pattern(r"does not exist"),
    decisive("prolog.warning", "goal (", RuntimeException, "Warning: /x/a.pl:3: Goal (directive) failed", "the goal (x)").tool("swipl").pattern(r"Goal \((?:directive|initialization)\) (?:failed|raised exception)").aside(),
    decisive("sbcl.system", "component \"", MissingDependency, "Component \"cl-ppcre\" not found", "component \"x\"").tool("asdf").pattern(r"^Component \x22[^\x22]+\x22 not found"),
    decisive("coq.library", "cannot find a physical path bound to logical path", MissingDependency, "Error: Cannot find a physical path bound to logical path mathcomp.", "logical path").tool("coq"),
    decisive("agda.module", "failed to find source of module", MissingDependency, "Failed to find source of module Data.Nat in any of the following locations:", "source of module").tool("agda"),
    decisive("lean.module", "unknown module prefix '", MissingDependency, "error: unknown module prefix 'Mathlib'", "module prefix").tool("lean"),
    decisive("lisp.debugger", "debugger invoked on a", RuntimeException, "debugger invoked on a DIVISION-BY-ZERO in thread", "debugger").tool("sbcl"),
    decisive("lisp.unhandled", "unhandled ", RuntimeException, "Unhandled SIMPLE-ERROR in thread #<SB-THREAD:THREAD \"main thread\" RUNNING>: no", "unhandled cases").tool("sbcl").pattern(r"^Unhandled [A-Z:-]+ in thread"),
    decisive("guile.procedure", "error: in procedure", RuntimeException, "ERROR: In procedure car: Wrong type argument in position 1 (expecting pair): 5", "procedure").tool("guile"),
];
