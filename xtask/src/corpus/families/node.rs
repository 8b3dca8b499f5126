//! Node and its package managers.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const PACKAGE: &str = "{\"name\":\"app\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"node \
                 build.js\",\"test\":\"node test.js\"}}";
const NEEDS_LEFTPAD: &[(&str, &str)] =
    &[("package.json", "{\"name\":\"app\",\"version\":\"1.0.0\",\"dependencies\":{\"left-pad\":\"^1.3.0\"}}")];

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "node",
        language: Some("JavaScript"),
        needs: &["node"],
        cases: &[
            case("node-syntax", COMPILE, "node app.js", "a bracket too few")
                .files(&[("app.js", "function total(items) {\n  return items.reduce((a, b) => a + b, 0;\n}\n")]),
            case("node-module", DEPENDENCY, "node app.js", "a package that is not installed")
                .files(&[("app.js", "const express = require('expresso');\nexpress();\n")]),
            case("node-esm", DEPENDENCY, "node app.mjs", "an ES module that is not there")
                .files(&[("app.mjs", "import { load } from './config.mjs';\nload();\n")]),
            case("node-export", COMPILE, "node app.mjs", "a name the module does not export").files(&[
                ("app.mjs", "import { load } from './config.mjs';\nload();\n"),
                ("config.mjs", "export const save = 1;\n"),
            ]),
            case("node-type", EXCEPTION, "node app.js", "a property of undefined")
                .files(&[("app.js", "const user = {};\nconsole.log(user.address.street);\n")]),
            case("node-reference", EXCEPTION, "node app.js", "a name that is not defined")
                .files(&[("app.js", "console.log(databaseUrl);\n")]),
            case("node-rejection", EXCEPTION, "node app.js", "a rejected promise nobody handles")
                .files(&[("app.js", "async function pay() { throw new Error('card declined'); }\npay();\n")]),
            case("node-file", MISSING_FILE, "node app.js", "a file that is not there")
                .files(&[("app.js", "require('fs').readFileSync('config/prod.json');\n")]),
            case(
                "node-denied",
                DENIED,
                "mkdir out && chmod 555 out && unprivileged node app.js",
                "a directory that may not be written",
            )
            .files(&[("app.js", "require('fs').writeFileSync('out/report.txt', 'x');\n")]),
            case("node-disk", DISK_FULL, "tiny-disk node app.js", "the disk is full")
                .files(&[("app.js", "require('fs').writeFileSync('disk/blob', Buffer.alloc(500000));\n")]),
            case(
                "node-heap",
                OUT_OF_MEMORY,
                "bash -c 'node --max-old-space-size=20 app.js; exit $?'",
                "the heap limit is reached",
            )
            .files(&[("app.js", "const all = [];\nfor (;;) all.push(new Array(1000).fill({ a: all.length }));\n")]),
            case("node-refused", CONNECTION, "node app.js", "nothing listens on the port")
                .files(&[("app.js", "require('http').get('http://127.0.0.1:' + process.env.CLOSED_PORT);\n")]),
            case("node-fetch", CONNECTION, "node app.mjs", "fetch: the server resets").files(&[(
                "app.mjs",
                "const r = await fetch(process.env.SERVER + '/reset/items');\n\
                 console.log(r.status);\n",
            )]),
            case("node-abort", TIMEOUT, "node app.mjs", "fetch: no answer in time").files(&[(
                "app.mjs",
                "const r = await fetch(process.env.SERVER + '/stall/items', { signal: \
                 AbortSignal.timeout(1000) });\n\
                 console.log(r.status);\n",
            )]),
            case("node-axios-429", RATE_LIMIT, "node app.js", "axios: too many requests").files(&[(
                "app.js",
                "require('axios').get(process.env.SERVER + '/429/items').catch((e) => { \
                 console.error(e.message, e.response.data); process.exit(1); });\n",
            )]),
            case("node-axios-503", UNAVAILABLE, "node app.js", "axios: the service is unavailable").files(&[(
                "app.js",
                "require('axios').get(process.env.SERVER + '/503/items').catch((e) => { \
                 console.error(`${e.name}: ${e.message}`); process.exit(1); });\n",
            )]),
            case("node-json", BAD_FORMAT, "node app.mjs", "an HTML page where JSON is wanted").files(&[(
                "app.mjs",
                "const r = await fetch(process.env.SERVER + '/html/items');\n\
                 console.log(await r.json());\n",
            )]),
            case("node-port", STATE, "node app.js", "the port is taken").files(&[(
                "app.js",
                "require('http').createServer().listen(Number(process.env.HTTP_PORT), '127.0.0.1');\n",
            )]),
            case("node-option", BAD_ARGUMENT, "node --max-memory=100 app.js", "an option node does not have"),
            case("node-test", TEST, "node --test", "an assertion fails, by node's own runner").files(&[(
                "a.test.js",
                "const test = require('node:test');\nconst assert = require('node:assert');\n\
                 test('adds', () => { assert.strictEqual(1 + 1, 3); });\n\
                 test('handles errors', () => {});\n",
            )]),
            case("node-ok", BENIGN, "node app.js", "a program that logs a handled failure").files(&[(
                "app.js",
                "console.error('Error: connect ECONNREFUSED 10.0.0.5:6379 (cache disabled)');\n\
                 console.log('listening; 0 errors');\n",
            )]),
            case("node-ok-test", BENIGN, "node --test", "all tests pass, by node's own runner").files(&[(
                "a.test.js",
                "const test = require('node:test');\n\
                 test('fails with ETIMEDOUT when the server stalls', () => {});\n",
            )]),
        ],
    },
    Tool {
        name: "npm",
        language: Some("JavaScript"),
        needs: &["npm"],
        cases: &[
            case(
                "npm-refused",
                CONNECTION,
                "npm install --fetch-retries=0 --registry=http://127.0.0.1:$CLOSED_PORT",
                "the registry refuses connections",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "npm-reset",
                CONNECTION,
                "npm install --fetch-retries=0 --registry=$SERVER/reset",
                "the registry resets",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "npm-name",
                CONNECTION,
                "npm install --fetch-retries=0 --registry=https://npm.build.invalid",
                "the registry's name does not resolve",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "npm-stall",
                TIMEOUT,
                "npm install --fetch-retries=0 --fetch-timeout=1000 --registry=$SERVER/stall",
                "the registry never answers",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "npm-503",
                UNAVAILABLE,
                "npm install --fetch-retries=0 --registry=$SERVER/503",
                "the registry is unavailable",
            )
            .files(NEEDS_LEFTPAD),
            case("npm-429", RATE_LIMIT, "npm install --fetch-retries=0 --registry=$SERVER/429", "too many requests")
                .files(NEEDS_LEFTPAD),
            case("npm-401", CREDENTIALS, "npm install --registry=$SERVER/401", "the registry wants a login")
                .files(NEEDS_LEFTPAD),
            case("npm-403", FORBIDDEN, "npm publish --registry=$SERVER/403", "publishing is forbidden")
                .files(&[("package.json", PACKAGE), (".npmrc", "//127.0.0.1:7411/:_authToken=example\n")]),
            case("npm-login", CREDENTIALS, "npm publish --registry=$SERVER/ok", "publishing without a login")
                .files(&[("package.json", PACKAGE)]),
            case("npm-404", DEPENDENCY, "npm install --registry=$SERVER/404", "no such package").files(NEEDS_LEFTPAD),
            case("npm-version", DEPENDENCY, "npm install --offline", "a package that is not in the cache")
                .files(NEEDS_LEFTPAD),
            case("npm-manifest", COMPILE, "npm install", "package.json does not parse")
                .files(&[("package.json", "{\"name\": \"app\",\n  \"version\": \"1.0.0\"\n  \"main\": \"a.js\"}\n")]),
            case("npm-none", MISSING_FILE, "npm run build", "no package.json here"),
            case("npm-script", BAD_ARGUMENT, "npm run deploy", "no such script").files(&[("package.json", PACKAGE)]),
            case("npm-command", MISSING_COMMAND, "npm run build", "a script calls a program that is not installed")
                .files(&[(
                    "package.json",
                    "{\"name\":\"app\",\"version\":\"1.0.0\",\
                 \"scripts\":{\"build\":\"parcel-next build\"}}",
                )]),
            case("npm-test", TEST, "npm test", "the test script reports a failure").files(&[
                ("package.json", PACKAGE),
                (
                    "test.js",
                    "console.log('  ✓ parses');\nconsole.log('  1) formats dates');\n\
                 console.log('\\n  1 passing\\n  1 failing\\n');\n\
                 console.log('  1) formats dates:\\n     AssertionError: expected 2024-01-02 \
                 to equal 2024-01-01');\n\
                 process.exit(1);\n",
                ),
            ]),
            case("npm-ci", DEPENDENCY, "npm ci", "the lock file does not fit the manifest").files(&[
                ("package.json", "{\"name\":\"app\",\"version\":\"1.0.0\",\"dependencies\":{\"left-pad\":\"^1.3.0\"}}"),
                (
                    "package-lock.json",
                    "{\"name\":\"app\",\"version\":\"1.0.0\",\
                 \"lockfileVersion\":3,\"requires\":true,\
                 \"packages\":{\"\":{\"name\":\"app\",\"version\":\"1.0.0\"}}}",
                ),
            ]),
            case("npm-ok", BENIGN, "npm run build && npm ls", "a script that succeeds").files(&[
                ("package.json", PACKAGE),
                (
                    "build.js",
                    "console.log('error pages built: 404.html, 500.html');\n\
                 console.log('done in 2s, 0 errors');\n",
                ),
            ]),
            case("npm-ok-install", BENIGN, "npm install", "a local package is installed").files(&[
                ("package.json", "{\"name\":\"app\",\"version\":\"1.0.0\",\"dependencies\":{\"core\":\"file:core\"}}"),
                ("core/package.json", "{\"name\":\"core\",\"version\":\"2.0.0\"}"),
            ]),
        ],
    },
    Tool {
        name: "yarn",
        language: Some("JavaScript"),
        needs: &["yarn"],
        cases: &[
            case(
                "yarn-503",
                UNAVAILABLE,
                "yarn install --non-interactive --registry $SERVER/503 --network-timeout 2000",
                "the registry is unavailable",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "yarn-refused",
                CONNECTION,
                "timeout 60 yarn install --non-interactive --registry http://127.0.0.1:$CLOSED_PORT",
                "the registry refuses connections",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "yarn-404",
                DEPENDENCY,
                "yarn add --non-interactive --registry $SERVER/404 left-paddd",
                "no such package",
            )
            .files(&[("package.json", PACKAGE)]),
            case("yarn-script", BAD_ARGUMENT, "yarn run deploy", "no such script").files(&[("package.json", PACKAGE)]),
            case(
                "yarn-frozen",
                DEPENDENCY,
                "yarn install --frozen-lockfile --offline",
                "the lock file does not fit the manifest",
            )
            .files(NEEDS_LEFTPAD)
            .after("printf '# yarn lockfile v1\\n\\n\\n' > yarn.lock"),
            case("yarn-ok", BENIGN, "yarn run build", "a script that succeeds")
                .files(&[("package.json", PACKAGE), ("build.js", "console.log('retrying... ok');\n")]),
        ],
    },
    Tool {
        name: "pnpm",
        language: Some("JavaScript"),
        needs: &["pnpm"],
        cases: &[
            case(
                "pnpm-503",
                UNAVAILABLE,
                "pnpm install --fetch-retries=0 --registry=$SERVER/503",
                "the registry is unavailable",
            )
            .files(NEEDS_LEFTPAD),
            case(
                "pnpm-refused",
                CONNECTION,
                "pnpm install --fetch-retries=0 --registry=http://127.0.0.1:$CLOSED_PORT",
                "the registry refuses connections",
            )
            .files(NEEDS_LEFTPAD),
            case("pnpm-404", DEPENDENCY, "pnpm install --registry=$SERVER/404", "no such package").files(NEEDS_LEFTPAD),
            case("pnpm-frozen", DEPENDENCY, "pnpm install --frozen-lockfile", "no lock file to keep to")
                .files(NEEDS_LEFTPAD),
            case("pnpm-script", BAD_ARGUMENT, "pnpm run deploy", "no such script").files(&[("package.json", PACKAGE)]),
            case("pnpm-none", MISSING_FILE, "pnpm run build", "no package.json here"),
            case("pnpm-ok", BENIGN, "pnpm run build", "a script that succeeds")
                .files(&[("package.json", PACKAGE), ("build.js", "console.log('0 errors, 0 warnings');\n")]),
        ],
    },
];
