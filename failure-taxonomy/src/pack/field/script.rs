//! Perl, Lua, R, Julia, awk, LaTeX, SQL-less small languages.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{CompileError, MissingDependency, RuntimeException, TestFailure};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("perl.syntax", "syntax error at", CompileError, "syntax error at a.pl line 3, near \"}\"", "syntax errors").tool("perl").pattern(r"syntax error at \S+ line \d+"),
    decisive("perl.aborted", "aborted due to compilation errors", CompileError, "Execution of a.pl aborted due to compilation errors.", "aborted").tool("perl"),
    decisive("perl.compile-failed", "begin failed--compilation aborted", CompileError, "BEGIN failed--compilation aborted at a.pl line 3.", "begin").tool("perl"),
    decisive("perl.locate", "can't locate ", MissingDependency, "Can't locate JSON.pm in @INC (you may need to install the JSON module)", "can't locate it").tool("perl").pattern(r"in @INC"),
    decisive("perl.die", ".pl line", RuntimeException, "Can't call method \"x\" on an undefined value at a.pl line 3.", "line 3 of 4").tool("perl").pattern(r"^\S.* at \S+\.p[lm] line \d+\.$"),
    summary("perl.prove", "result: fail", TestFailure, "Result: FAIL", "RESULT: FAILED (minimum: 80%)").tool("prove").pattern(r"^Result: FAIL$"),
    success("perl.prove-ok", "result: pass", "Result: PASS", "Result: FAIL"),
    decisive("tap.not-ok", "not ok ", TestFailure, "not ok 2 - adds", "ok 2 - adds").tool("tap").line_start(),
    decisive("lua.syntax", ".lua:", CompileError, "lua: a.lua:2: unexpected symbol near '+'", "lua: a.lua:2: attempt to call nil").tool("lua").pattern(r"\.lua:\d+: (?:unexpected symbol|'\S+' expected|unfinished|syntax error|malformed|<\w+> expected|'=' expected)"),
    decisive("lua.runtime", ".lua:", RuntimeException, "lua: a.lua:2: attempt to call a nil value (global 'foo')", "lua: ok").tool("lua").pattern(r"\.lua:\d+: (?:attempt to|bad argument)"),
    decisive("lua.module", "module '", MissingDependency, "lua: a.lua:1: module 'socket' not found:", "module 'x' found").tool("lua").pattern(r"module '[^']+' not found:"),
    decisive("r.package", "there is no package called", MissingDependency, "Error in library(dplyr) : there is no package called 'dplyr'", "package").tool("R"),
    decisive("r.error", "error in ", RuntimeException, "Error in f(x) : object 'y' not found", "error in judgement").tool("R").pattern(r"^Error in .+ : "),
    suggestive("r.halted", "execution halted", RuntimeException, "Execution halted", "halted").tool("R"),
    decisive("julia.error", "error: loaderror:", RuntimeException, "ERROR: LoadError: UndefVarError: x not defined", "load").tool("julia"),
    decisive("julia.package", "not found in current path", MissingDependency, "ERROR: ArgumentError: Package Foo not found in current path.", "path").tool("julia"),
    decisive("awk.syntax", "awk: ", CompileError, "awk: ./a:2:        ^ syntax error", "awk: x").tool("awk").pattern(r"syntax error|missing [)}]"),
    decisive("latex.error", "! latex error:", CompileError, "! LaTeX Error: File `foo.sty' not found.", "latex").tool("latex"),
    decisive("latex.undefined", "! undefined control sequence", CompileError, "! Undefined control sequence.", "undefined").tool("latex"),
    decisive("latex.emergency", "==> fatal error occurred", CompileError, "!  ==> Fatal error occurred, no output PDF file produced!", "fatal").tool("latex"),
    decisive("llvm.ir", ".ll:", CompileError, "llc: a.ll:1:2: error: expected top-level entity", "a.ll:1:2: warning").tool("llc").pattern(r"\.ll:\d+:\d+: error:"),
    decisive("protoc.error", ".proto:", CompileError, "a.proto:3:5: Expected \";\".", "a.proto:3:5: warning: unused import").tool("protoc").pattern(r"\.proto:\d+:\d+: (?:Expected|\S+ is not defined|Field|Missing|Unexpected|error)"),
    decisive("sass.error", "error: ", CompileError, "Error: Undefined variable.", "error: x").tool("sass").pattern(r"^Error: (?:Undefined (?:variable|mixin|function)|expected \x22|Invalid CSS)"),
    decisive("solidity.error", "parsererror:", CompileError, "ParserError: Expected ';' but got '}'", "error").tool("solc").pattern(r"^ParserError: "),
    decisive("crystal.place", ".cr:", CompileError, "In src/app.cr:3:1", "in src/app.cr:3:1 we see").tool("crystal").pattern(r"^In \S+\.cr:\d+:\d+$"),
    decisive("solidity.place", ".sol:", CompileError, " --> contracts/Token.sol:12:9:", "see Token.sol:12").tool("solc").pattern(r"^--> \S+\.sol:\d+:\d+:?$"),
    summary("r.testthat", "[ fail ", TestFailure, "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]").tool("R").pattern(r"\[ FAIL [1-9]"),
    success("r.testthat-ok", "[ fail 0 |", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]", "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]"),
    summary("julia.tests", "some tests did not pass:", TestFailure, "ERROR: Some tests did not pass: 3 passed, 1 failed, 0 errored, 0 broken.", "some tests").tool("julia"),
    summary("lua.busted", " / ", TestFailure, "3 successes / 1 failure / 0 errors / 0 pending : 0.004 seconds", "3 successes / 0 failures / 0 errors / 0 pending").tool("busted").pattern(r"^\d+ success(?:es)? / (?:[1-9]\d* failures?|\d+ failures? / [1-9]\d* errors?)"),
    decisive("lua.rocks", "no results matching query were found", MissingDependency, "Error: No results matching query were found for Lua 5.4.", "no results").tool("luarocks"),
    decisive("perl.cpan", "couldn't find module or a distribution", MissingDependency, "! Couldn't find module or a distribution Foo::Barr", "find module").tool("cpanm"),
    decisive("protoc.import", ".proto", MissingDependency, "common/id.proto: File not found.", "a.proto").tool("protoc").pattern(r"\.proto: File not found|Import \x22\S+\x22 was not found or had errors"),
];
