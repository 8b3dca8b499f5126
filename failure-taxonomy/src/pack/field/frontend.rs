//! What builds the web's front ends: bundlers, stylesheet and template compilers.

use super::{Row, decisive, success, summary};
use recovery_types::ErrorType::{CompileError, FileNotFound, MissingDependency, TypeError};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Bundlers
    decisive("frontend.error-class", "error: ", CompileError, "[!] RollupError: a.js (2:6): Unexpected token", "an error: x").pattern(r"^(?:\[\S+\] |Error: |Uncaught )?\w*(?:Rollup|Compile|Compilation|Compiler|Build|Bundle|Transform|CssSyntax|Template\w*|ModuleBuild|ModuleParse)(?:Failure)?Error: "),
    decisive("frontend.compile-error", "compileerror:", CompileError, "CompileError: [vite-plugin-svelte] src/App.svelte (3:0): Expected token }", "a compileerror: none").line_start(),
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
    summary("svelte-check.found", "svelte-check found", TypeError, "svelte-check found 2 errors and 1 warning in 1 file", "svelte-check found 0 errors and 0 warnings").tool("svelte-check").pattern(r"found [1-9]\d* errors?"),
    decisive("flow.error", "error -", TypeError, "Error ------------------------------ src/a.js:3:5", "error - x").tool("flow").pattern(r"^Error [-\xe2\x94\x88\x80]{4,} \S+:\d+:\d+"),
    success("rollup.created", "created ", "created dist/bundle.js in 1.2s", "created").pattern(r"^created \S.* in [\d.]+m?s$"),
    decisive("rollup.entry-module", "could not resolve entry module", FileNotFound, "Could not resolve entry module \"src/main.ts\".", "entry module").tool("rollup"),
    decisive("rollup.resolve-import", "rollup failed to resolve import", MissingDependency, "[vite]: Rollup failed to resolve import \"x\" from \"y\".", "rollup").tool("rollup"),
    decisive("webpack.module-not-found", "module not found:", MissingDependency, "Module not found: Error: Can't resolve 'react' in '/x'", "module found").tool("webpack"),
    decisive("webpack.parse-failed", "module parse failed", CompileError, "Module parse failed: Unexpected token (1:0)", "module parsed").tool("webpack"),
    summary("webpack.error-in", "error in ", CompileError, "ERROR in ./src/index.js 3:5", "error in judgement").tool("webpack").pattern(r"^ERROR in (?:\./|\S+\.(?:[jt]sx?|vue|s?css|mjs))"),
    summary("webpack.compiled", "compiled with", CompileError, "webpack 5.88 compiled with 2 errors in 30 ms", "compiled with 1 warning").tool("webpack").pattern(r"compiled with [1-9]\d* errors?"),
    success("webpack.ok", "compiled successfully", "webpack 5.88 compiled successfully in 300 ms", "compiled with 1 error"),
    decisive("vite.resolve-import", "resolve import", MissingDependency, "Failed to resolve import \"./x\" from \"src/a.ts\". Does the file exist?", "resolved import").tool("vite").pattern(r"(?i)(?:failed|unable|could not|cannot) (?:to )?resolve import|resolve import .* from"),
    decisive("vite.load-url", "failed to load url", MissingDependency, "Error: Failed to load url ./nope.js (resolved id: ./nope.js) in /x/a.test.js. Does the file exist?", "loaded url").tool("vite"),
    decisive("vite.build", "error during build:", CompileError, "error during build:", "error during builds").tool("vite"),
    decisive("vite.build-failed", "build failed with", CompileError, "Build failed with 1 error:", "build failed").tool("esbuild").pattern(r"Build failed with [1-9]\d* errors?"),
    decisive("vite.transform", "transform failed with", CompileError, "Error: Transform failed with 1 error:", "transform").tool("esbuild"),
    success("vite.built", "built in", "\u{2713} built in 1.23s", "not built in").pattern(r"built in [\d.]+m?s"),
    decisive("esbuild.could-not-resolve", "could not resolve \"", MissingDependency, "error: Could not resolve \"react\"", "could not resolve host").tool("esbuild"),
    decisive("esbuild.error", "[error] ", CompileError, "\u{2718} [ERROR] Expected \";\" but found \"x\"", "[ERROR] x failed").tool("esbuild").pattern(r"\[ERROR\] (?:Expected|Unexpected|Syntax error|No matching export|Unterminated|Invalid)"),
    decisive("babel.error", "syntaxerror: /", CompileError, "SyntaxError: /app/a.jsx: Unexpected token (3:5)", "syntax").tool("babel"),
    summary("next.failed-to-compile", "failed to compile", CompileError, "Failed to compile.", "failed to compile nothing").tool("next").pattern(r"^Failed to compile\.?"),
    summary("next.type-error", "type error:", CompileError, "Type error: Property 'x' does not exist on type 'Y'.", "a type error: x").tool("next").line_start(),
    summary("angular.bundle", "application bundle generation failed", CompileError, "Application bundle generation failed. [2.1 seconds]", "Application bundle generation complete.").tool("angular"),

    // Stylesheets and templates
    decisive("sass.place", "root stylesheet", CompileError, "  a.scss 2:13  root stylesheet", "the root stylesheet").tool("sass").pattern(r"^\S+ \d+:\d+ +root stylesheet"),
    decisive("sass.error", "error: ", CompileError, "Error: Undefined variable.", "error: x").tool("sass").pattern(r"^Error: (?:Undefined (?:variable|mixin|function)|expected \x22|Invalid CSS)"),
    decisive("less.parse", "parseerror: ", CompileError, "ParseError: Unrecognised input in /x/a.less on line 3, column 1:", "ParseError: no element found: line 1").tool("less").pattern(r"ParseError: .* on line \d+"),
    decisive("less.name", "nameerror: ", CompileError, "NameError: variable @x is undefined in /x/a.less on line 3, column 1:", "NameError: name 'x' is not defined").tool("less").pattern(r"NameError: .* on line \d+"),
    decisive("jinja.syntax", "jinja2.exceptions.templatesyntaxerror", CompileError, "jinja2.exceptions.TemplateSyntaxError: Encountered unknown tag 'endblok'.", "jinja2").tool("jinja"),
];
