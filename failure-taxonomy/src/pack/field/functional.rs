//! Haskell, Elixir, Erlang, OCaml, Elm, Nix, Clojure.

use super::{Row, decisive, suggestive, summary};
use recovery_types::ErrorType::{
    CompileError, FileNotFound, InvalidArgument, LintError, MissingDependency, RuntimeException, TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("ghc.error", ".hs:", CompileError, "src/Main.hs:3:5: error: [GHC-88464]", "src/Main.hs:3:5: warning: x").tool("ghc").pattern(r"\.l?hs:\d+:\d+(?:-\d+)?: error:"),
    decisive("ghc.place", ".hs:", CompileError, "src/Main.hs:31:6:", "src/Main.hs:31:6: Warning: unused").tool("ghc").pattern(r"\.l?hs:\d+:\d+(?:-\d+)?:(?:$| Not in scope| parse error)"),
    decisive("cabal.phase", "failed during the building phase", CompileError, "app-0.7 failed during the building phase. The exception was:", "building phase").tool("cabal"),
    decisive("purescript.count", "error ", CompileError, "Error 1 of 2:", "error 1 of my day").tool("purs").pattern(r"^Error \d+ of \d+:$"),
    decisive("gleam.place", ".gleam:", CompileError, "  \u{250c}\u{2500} /app/src/app.gleam:4:3", "app.gleam: ok").tool("gleam").pattern(r"^\S+\.gleam:\d+:\d+$"),
    summary("credo.found", "mods/funs, found ", LintError, "12 mods/funs, found 1 refactoring opportunity.", "12 mods/funs, found no issues.").tool("credo").pattern(r"found [1-9]"),
    decisive("ghc.module", "could not find module", MissingDependency, "    Could not find module 'Data.Aeson'", "find module").tool("ghc").pattern(r"Could not find module ['`\xe2]"),
    decisive("cabal.resolve", "could not resolve dependencies", MissingDependency, "Error: cabal: Could not resolve dependencies:", "dependencies").pattern(r"Could not resolve dependencies:?$"),
    decisive("cabal.failed", "failed to build ", CompileError, "Error: cabal: Failed to build app-0.1.0.0", "build").tool("cabal").pattern(r"(?:cabal: |Error: )Failed to build \S+"),
    decisive("stack.plan", "error: [s-", CompileError, "Error: [S-7282] Stack failed to execute the build plan.", "error").tool("stack").pattern(r"\[S-\d+\]"),
    decisive("elixir.compile", "** (compileerror)", CompileError, "** (CompileError) lib/a.ex:3: undefined function foo/0", "compile").tool("mix"),
    summary("elixir.compilation", "== compilation error in file", CompileError, "== Compilation error in file lib/a.ex ==", "compilation").tool("mix"),
    decisive("elixir.syntax", "** (syntaxerror)", CompileError, "** (SyntaxError) lib/a.ex:3:1: unexpected token: end", "syntax").tool("elixir"),
    decisive("elixir.token", "** (tokenmissingerror)", CompileError, "** (TokenMissingError) lib/a.ex:9: missing terminator: end", "token").tool("elixir"),
    decisive("elixir.exception", "** (", RuntimeException, "** (ArithmeticError) bad argument in arithmetic expression", "** (x)").tool("elixir").pattern(r"^\*\* \((?:\w+\.)*\w+Error\)"),
    decisive("mix.task", "** (mix) the task", InvalidArgument, "** (Mix) The task \"phx.serve\" could not be found", "task").tool("mix"),
    decisive("mix.deps", "unchecked dependencies for environment", MissingDependency, "Unchecked dependencies for environment dev:", "dependencies").tool("mix"),
    decisive("mix.resolve", "hex dependency resolution failed", MissingDependency, "** (Mix) Hex dependency resolution failed", "resolution").tool("mix"),
    summary("exunit.count-one", " test, ", TestFailure, "1 test, 1 failure", "1 test, 0 failures").tool("exunit").pattern(r"^1 test, 1 failure"),
    decisive("mix.format", "mix format", LintError, "** (Mix) mix format failed due to --check-formatted.", "mix format").tool("mix").pattern(r"failed due to"),
    decisive("erlang.crash", "crash dump is being written", RuntimeException, "Crash dump is being written to: erl_crash.dump...done", "crash").tool("erl"),
    decisive("rebar.compile", "===> compiling", CompileError, "===> Compiling src/a.erl failed", "===> Compiling app").tool("rebar3").pattern(r"failed"),
    decisive("erlang.include-lib", "can't find include lib", MissingDependency, "a.erl:2:14: can't find include lib \"eunit/include/eunit.hrl\"", "include lib").tool("erlc"),
    decisive("erlang.error", ".erl:", CompileError, "src/app.erl:5:3: function foo/0 undefined", "src/app.erl:5:3: Warning: variable 'X' is unused").tool("erlc").pattern(r"\.erl:\d+(?::\d+)?: (?:function|syntax error|variable|undefined|record|head mismatch|can't find)"),
    suggestive("ocaml.error", "file \"", CompileError, "File \"a.ml\", line 3, characters 5-8:", "file \"a\"").tool("ocaml").pattern(r#"^File "[^"]+\.mli?", line"#),
    decisive("dune.library", "error: library \"", MissingDependency, "Error: Library \"lwt\" not found.", "library").tool("dune"),
    decisive("elm.error", "-- ", CompileError, "-- TYPE MISMATCH ---------------------------------- src/Main.elm", "-- x").tool("elm").pattern(r"^-- [A-Z ]{6,} -{4,}"),
    decisive("nix.error", "error: ", CompileError, "error: undefined variable 'stdnev'", "error: x").tool("nix").pattern(r"^error: (?:undefined variable '|syntax error, unexpected|attribute '.*' missing|infinite recursion)"),
    decisive("nix.builder", "error: builder for '", CompileError, "error: builder for '/nix/store/x.drv' failed with exit code 1", "builder").tool("nix"),
    decisive("purescript.module", "was not found.", MissingDependency, "  Module Safe.Coerce was not found.", "it was not found.").tool("purs").pattern(r"^Module [\w.]+ was not found\.$"),
    decisive("purescript.match", "could not match type", CompileError, "  Could not match type", "could not match types").tool("purs").pattern(r"^Could not match (?:constrained )?type$"),
    suggestive("purescript.error", "error found:", CompileError, "Error found:", "errors found: 0").tool("purs").line_start(),
    suggestive("ghc.callstack", "callstack (from hascallstack)", RuntimeException, "CallStack (from HasCallStack):", "callstack").tool("ghc"),
    decisive("clojure.syntax", "syntax error compiling at", CompileError, "Syntax error compiling at (src/a.clj:3:1).", "syntax").tool("clojure"),
    decisive("ocaml.module", "error: unbound module", MissingDependency, "Error: Unbound module Yojson", "module").tool("ocaml"),
    decisive("ocaml.type", "error: ", CompileError, "Error: This expression has type string but an expression was expected of type int", "error: x").tool("ocaml").pattern(r"^Error: (?:This (?:expression|pattern|variant|function)|Unbound (?:value|type|constructor|record)|Syntax error|Signature mismatch|The implementation)"),
    decisive("ocaml.exception", "exception: ", RuntimeException, "Fatal error: exception Not_found / Exception: Not_found.", "the exception: x").tool("ocaml").pattern(r"^(?:Fatal error: exception |Exception: )\S"),
    decisive("ghc.prelude", ": prelude.", RuntimeException, "Main: Prelude.head: empty list", "prelude").tool("ghc"),
    decisive("mix.project", "could not find a mix.project", FileNotFound, "** (Mix) Could not find a Mix.Project, please ensure you are running Mix in a directory with a mix.exs file", "mix").tool("mix"),
];
