//! JavaScript and TypeScript: compilers, bundlers, tests, linters.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const MODULE: (&str, &str) = ("package.json", "{\"name\":\"app\",\"version\":\"1.0.0\"}");
/// Test runners look their own packages up from the project.
const LINK: &str = "ln -s $NODE_PATH node_modules";

const ESLINT_CONFIG: (&str, &str) = (
    "eslint.config.js",
    "module.exports = [{ rules: { 'no-unused-vars': 'error', 'no-undef': \
                 'error', eqeqeq: 'error' } }];\n",
);

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "tsc",
        language: Some("TypeScript"),
        needs: &["tsc"],
        cases: &[
            case("tsc-types", TYPES, "tsc --noEmit --strict app.ts", "values of the wrong types, checked only").files(
                &[(
                    "app.ts",
                    "interface User { id: number; name: string }\nconst u: User = { id: '7' };\n\
                 export function len(s: string): number { return s; }\n",
                )],
            ),
            case("tsc-build", COMPILE, "npm run build", "a type error stops the build").files(&[
                ("app.ts", "const port: number = 'eighty';\nconsole.log(port);\n"),
                (
                    "package.json",
                    "{\"name\":\"app\",\"version\":\"1.0.0\",\
                     \"scripts\":{\"build\":\"tsc --outDir dist --noEmitOnError app.ts\"}}",
                ),
            ]),
            case("tsc-syntax", COMPILE, "tsc --outDir dist app.ts", "a bracket too few")
                .files(&[("app.ts", "export const limits = { max: 429, min: 5;\nfunction f( { return 1 }\n")]),
            case("tsc-module", DEPENDENCY, "tsc --outDir dist app.ts", "a module that is not installed")
                .files(&[("app.ts", "import { z } from 'zodd';\nexport const a = z;\n")]),
            case("tsc-option", BAD_ARGUMENT, "tsc --targett es2020 app.ts", "an option tsc does not have")
                .files(&[("app.ts", "export {};\n")]),
            case("tsc-input", MISSING_FILE, "tsc --noEmit src/main.ts", "the source file is not there"),
            case(
                "tsc-ok",
                BENIGN,
                "tsc --noEmit --listFilesOnly app.ts | tail -1 && tsc --noEmit app.ts && \
                 echo 'type check passed: 0 errors'",
                "no type errors",
            )
            .files(&[("app.ts", "export class TimeoutError extends Error {}\n")]),
        ],
    },
    Tool {
        name: "eslint",
        language: Some("JavaScript"),
        needs: &["eslint"],
        cases: &[
            case("eslint-errors", LINT, "eslint .", "unused and undefined names")
                .files(&[ESLINT_CONFIG, ("app.js", "var unused = 1;\nif (total == 2) { start(); }\n")]),
            case("eslint-warnings", LINT, "eslint --max-warnings 0 .", "more warnings than allowed").files(&[
                ("eslint.config.js", "module.exports = [{ rules: { 'no-console': 'warn' } }];\n"),
                ("app.js", "console.log(1);\n"),
            ]),
            case("eslint-parse", COMPILE, "eslint app.js", "the file does not parse")
                .files(&[ESLINT_CONFIG, ("app.js", "const a = {;\n")]),
            case("eslint-config", MISSING_FILE, "eslint app.js", "no configuration")
                .files(&[("app.js", "let a = 1;\n")]),
            case("eslint-ok", BENIGN, "eslint . && echo 'eslint: no problems'", "nothing is found")
                .files(&[ESLINT_CONFIG, ("app.js", "throw new Error('retry failed');\n")])
                .after("sed -i \"s/'no-undef': 'error', //\" eslint.config.js"),
        ],
    },
    Tool {
        name: "jest",
        language: Some("JavaScript"),
        needs: &["jest"],
        cases: &[
            case("jest-fail", TEST, "jest --ci", "an assertion fails").files(&[
                MODULE,
                (
                    "sum.test.js",
                    "test('adds', () => { expect(1 + 1).toBe(3); });\n\
                 test('rejects on ECONNRESET', () => {});\n",
                ),
            ]),
            case("jest-timeout", TEST, "jest --ci", "a test takes too long")
                .files(&[MODULE, ("slow.test.js", "test('answers', (done) => {}, 300);\n")]),
            case("jest-throw", TEST, "jest --ci", "the code under test throws").files(&[
                MODULE,
                ("cart.js", "exports.total = (c) => c.items.length;\n"),
                (
                    "cart.test.js",
                    "const { total } = require('./cart');\n\
                 test('empty cart', () => { expect(total({})).toBe(0); });\n",
                ),
            ]),
            case("jest-module", DEPENDENCY, "jest --ci", "the test imports what is not there")
                .files(&[MODULE, ("a.test.js", "const db = require('./database');\ntest('x', () => db.open());\n")]),
            case("jest-syntax", COMPILE, "jest --ci", "the test does not parse")
                .files(&[MODULE, ("a.test.js", "test('x', () => { expect(1)\n")]),
            case("jest-none", MISSING_FILE, "jest --ci src/payments", "no tests found").files(&[MODULE]),
            case("jest-snapshot", TEST, "jest --ci", "a snapshot does not match").files(&[
                MODULE,
                ("v.test.js", "test('view', () => { expect({ title: 'New' }).toMatchSnapshot(); });\n"),
                (
                    "__snapshots__/v.test.js.snap",
                    "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`view 1`] = `\n\
                 {\n  \"title\": \"Old\",\n}\n`;\n",
                ),
            ]),
            case("jest-option", BAD_ARGUMENT, "jest --paralel", "an option jest does not have").files(&[MODULE]),
            case("jest-ok", BENIGN, "jest --ci --verbose", "all pass, with tempting names").files(&[
                MODULE,
                (
                    "ok.test.js",
                    "test('throws TypeError: failed to fetch', () => { console.error('simulated \
                 503'); });\n\
                 test('0 failed requests', () => {});\n",
                ),
            ]),
        ],
    },
    Tool {
        name: "vitest",
        language: Some("JavaScript"),
        needs: &["vitest"],
        cases: &[
            case("vitest-fail", TEST, "vitest run", "an assertion fails")
                .files(&[
                    MODULE,
                    (
                        "a.test.js",
                        "import { expect, test } from 'vitest';\n\
                 test('slug', () => { expect('A b').toBe('a-b'); });\n\
                 test('retry', () => {});\n",
                    ),
                ])
                .after(LINK),
            case("vitest-timeout", TEST, "vitest run", "a test takes too long")
                .files(&[
                    MODULE,
                    (
                        "a.test.js",
                        "import { test } from 'vitest';\n\
                 test('waits', async () => { await new Promise(() => {}); }, 200);\n",
                    ),
                ])
                .after(LINK),
            case("vitest-import", DEPENDENCY, "vitest run", "the test imports what is not there")
                .files(&[
                    MODULE,
                    (
                        "a.test.js",
                        "import { test } from 'vitest';\nimport { open } from './database.js';\n\
                 test('x', () => open());\n",
                    ),
                ])
                .after(LINK),
            case("vitest-ok", BENIGN, "vitest run --reporter=verbose", "all pass")
                .files(&[
                    MODULE,
                    ("error.test.js", "import { test } from 'vitest';\ntest('fails with 429', () => {});\n"),
                ])
                .after(LINK),
        ],
    },
    Tool {
        name: "mocha",
        language: Some("JavaScript"),
        needs: &["mocha"],
        cases: &[
            case("mocha-fail", TEST, "mocha test.js", "an assertion fails").files(&[(
                "test.js",
                "const assert = require('assert');\n\
                 describe('cart', () => {\n  it('sums', () => assert.deepStrictEqual({ a: 1 \
                 }, { a: 2 }));\n  it('handles errors', () => {});\n\
                 });\n",
            )]),
            case("mocha-timeout", TEST, "mocha --timeout 300 test.js", "a test takes too long")
                .files(&[("test.js", "it('answers', (done) => {});\n")]),
            case("mocha-hook", TEST, "mocha test.js", "a hook fails").files(&[(
                "test.js",
                "before(() => { throw new Error('database is not seeded'); });\n\
                 it('lists', () => {});\n",
            )]),
            case("mocha-none", MISSING_FILE, "mocha 'spec/**/*.js'", "no test files"),
            case("mocha-ok", BENIGN, "mocha test.js", "all pass").files(&[(
                "test.js",
                "it('emits error on timeout', () => {});\n\
                 it('rejects with ENOENT: no such file or directory', () => {});\n",
            )]),
        ],
    },
    Tool {
        name: "bundlers",
        language: Some("JavaScript"),
        needs: &["webpack", "esbuild", "rollup"],
        cases: &[
            case(
                "bundlers-webpack-module",
                DEPENDENCY,
                "webpack --mode production --entry ./index.js",
                "a module that is not installed",
            )
            .files(&[("index.js", "import _ from 'lodashh';\nconsole.log(_);\n")]),
            case(
                "bundlers-webpack-parse",
                COMPILE,
                "webpack --mode production --entry ./index.js",
                "a module does not parse",
            )
            .files(&[("index.js", "const a = <div/>;\n")]),
            case("bundlers-webpack-config", BAD_ARGUMENT, "webpack", "the configuration is invalid")
                .files(&[("webpack.config.js", "module.exports = { mode: 'production', entri: './a.js' };\n")]),
            case("bundlers-webpack-ok", BENIGN, "webpack --mode production --entry ./index.js", "bundled")
                .files(&[("index.js", "console.error('Error boundary ready');\n")]),
            case(
                "bundlers-esbuild-resolve",
                DEPENDENCY,
                "esbuild app.js --bundle --outfile=out.js",
                "an import that does not resolve",
            )
            .files(&[("app.js", "import './styles/missing.css';\nimport x from 'no-such-pkg';\nconsole.log(x);\n")]),
            case("bundlers-esbuild-syntax", COMPILE, "esbuild app.ts --outfile=out.js", "a file does not parse")
                .files(&[("app.ts", "export const f = (a: number => a;\n")]),
            case("bundlers-rollup-export", COMPILE, "rollup a.js --file out.js", "a name the module does not export")
                .files(&[("a.js", "import { load } from './b.js';\nload();\n"), ("b.js", "export const save = 1;\n")]),
            case("bundlers-rollup-ok", BENIGN, "rollup error.js --file out.js", "bundled")
                .files(&[("error.js", "export const fatal = 1;\n")]),
        ],
    },
    Tool {
        name: "prettier",
        language: Some("JavaScript"),
        needs: &["prettier", "markdownlint"],
        cases: &[
            case("prettier-check", LINT, "prettier --check .", "the formatting differs")
                .files(&[("a.js", "const a = {b:1}\n"), ("b.css", "a{color:red}\n")]),
            case("prettier-parse", COMPILE, "prettier --check a.ts", "a file does not parse")
                .files(&[("a.ts", "let x: = 3;\n")]),
            case("prettier-markdown", LINT, "markdownlint README.md", "findings in Markdown")
                .files(&[("README.md", "# Title\n### Too deep\n* a\n\n\n\nhttp://example.test\n")]),
            case("prettier-ok", BENIGN, "prettier --check . && markdownlint README.md", "nothing is found")
                .files(&[("README.md", "# Error handling\n\nRetry on 503.\n")]),
        ],
    },
];
