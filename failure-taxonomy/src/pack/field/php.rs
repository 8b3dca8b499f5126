//! PHP, Composer, PHPUnit, PHPStan, PHP_CodeSniffer, Phan.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, LintError, MissingCredentials, MissingDependency,
    OutOfMemory, PermissionDenied, RateLimit, RuntimeException, TestFailure, TypeError, WrongOutputFormat,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("php.parse", "parse error:", CompileError, "PHP Parse error:  syntax error, unexpected end of file in /x/a.php on line 3", "parse error: Invalid numeric literal").tool("php").pattern(r"Parse error:\s+(?:syntax error|Unclosed|Unmatched|Invalid)"),
    decisive("php.errors-parsing", "errors parsing ", CompileError, "Errors parsing a.php", "errors").tool("php").line_start(),
    decisive("php.fatal", "fatal error:", RuntimeException, "PHP Fatal error:  Uncaught Error: Call to undefined function foo() in /x/a.php:3", "no fatal error: x").tool("php").pattern(r"^(?:PHP )?Fatal error:\s"),
    decisive("php.class", "not found in", MissingDependency, "PHP Fatal error:  Uncaught Error: Class \"Foo\\Bar\" not found in /x/a.php:3", "not found in").tool("php").pattern(r#"(?:Class|Interface|Trait) ["'][^"']+["'] not found in"#),
    decisive("php.require", "failed opening required", MissingDependency, "PHP Fatal error:  Uncaught Error: Failed opening required 'vendor/autoload.php'", "required").tool("php"),
    decisive("php.memory", "allowed memory size of", OutOfMemory, "PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted", "memory").tool("php"),
    decisive("php.could-not-open", "could not open input file:", FileNotFound, "Could not open input file: artisan", "opened").tool("php"),
    decisive("composer.resolve", "your requirements could not be resolved", MissingDependency, "Your requirements could not be resolved to an installable set of packages.", "resolved").tool("composer"),
    decisive("composer.could-not-find", "could not find a matching version of package", MissingDependency, "Could not find a matching version of package foo/bar. Check the package spelling", "version"),
    decisive("composer.could-not-be-found", "could not be found in any version", MissingDependency, "The requested package foo/bar could not be found in any version", "found").tool("composer"),
    decisive("composer.rejected", "rejected by your constraint", MissingDependency, "- The requested package acme/kit 4.4@dev exists as acme/kit[v4.3.1] but these are rejected by your constraint.", "your constraint").tool("composer"),
    decisive("composer.extension", "it is missing from your system", MissingDependency, "- x requires ext-intl * -> it is missing from your system.", "system").tool("composer"),
    decisive("composer.no-json", "composer could not find a composer.json", FileNotFound, "Composer could not find a composer.json file in /x", "composer.json").tool("composer"),
    decisive("composer.invalid-json", "does not contain valid json", CompileError, "\"./composer.json\" does not contain valid JSON", "contains valid JSON").tool("composer"),
    decisive("composer.schema", "does not match the expected json schema", WrongOutputFormat, "\"./composer.json\" does not match the expected JSON schema:", "schema").tool("composer"),
    decisive("composer.auth", "could not authenticate against", MissingCredentials, "Could not authenticate against repo.example.com", "authenticated").tool("composer"),
    decisive("composer.http-auth", "could not be accessed (http 40", MissingCredentials, "The 'https://r/packages.json' URL could not be accessed (HTTP 403): HTTP/1.1 403", "HTTP 404").tool("composer").pattern(r"HTTP 40[13]"),
    decisive("composer.interactive", "you must be using the interactive console to authenticate", MissingCredentials, "You must be using the interactive console to authenticate", "console").tool("composer"),
    decisive("composer.download", "file could not be downloaded", ConnectionFailure, "The \"https://repo.packagist.org/packages.json\" file could not be downloaded: failed to open stream", "downloaded").tool("composer").pattern(r"failed to open stream|Connection|timed out|resolve"),
    decisive("composer.command", "command \"", InvalidArgument, "Command \"udpate\" is not defined.", "command").tool("composer").pattern(r"is not defined\."),
    decisive("composer.argument", "invalid argument package", InvalidArgument, "Invalid argument package. Use \"composer require package\" instead", "argument").tool("composer"),
    decisive("composer.php-version", "your php version (", MissingDependency, "acme/log 2.0 requires php ^8.2 but your php version (7.4.3) does not satisfy that requirement.", "your php version").tool("composer"),
    decisive("composer.download-auth", "file could not be downloaded (http/", MissingCredentials, "The \"https://repo.example.org/packages.json\" file could not be downloaded (HTTP/2 403 )", "downloaded").pattern(r"HTTP/[\d.]+ 40[13]").tool("composer"),
    decisive("composer.github-limit", "api limit (", RateLimit, "GitHub API limit (60 calls/hr) is exhausted", "api limit").pattern(r"exhausted").tool("composer"),
    decisive("composer.detected", "composer detected issues in your platform", MissingDependency, "Composer detected issues in your platform:", "composer detected").tool("composer"),
    decisive("composer.plugin-blocked", "allow-plugins", PermissionDenied, "acme/plugin contains a Composer plugin which is blocked by your allow-plugins config.", "allow-plugins set").pattern(r"blocked").tool("composer"),
    summary("phpunit.failures", "tests: ", TestFailure, "Tests: 3, Assertions: 5, Failures: 1.", "Tests: 3, Assertions: 5.").tool("phpunit").pattern(r"Assertions: \d+.*(?:Failures|Errors): [1-9]"),
    summary("phpunit.header", "failures!", TestFailure, "FAILURES!", "no failures!").tool("phpunit").pattern(r"^FAILURES!$"),
    summary("phpunit.errors", "errors!", TestFailure, "ERRORS!", "no errors!").tool("phpunit").pattern(r"^ERRORS!$"),
    decisive("phpunit.assert", "failed asserting that", TestFailure, "Failed asserting that 2 matches expected 3.", "asserting").tool("phpunit"),
    success("phpunit.ok", "ok (", "OK (3 tests, 5 assertions)", "ok (x)").pattern(r"^OK \(\d+ tests?, \d+ assertions?\)"),
    summary("pest.failed", "tests: ", TestFailure, "  Tests:    1 failed, 2 passed (5 assertions)", "  Tests:    3 passed").tool("pest").pattern(r"Tests:\s+[1-9]\d* failed"),
    summary("phpstan.found", "[error] found", TypeError, " [ERROR] Found 3 errors", "[OK] No errors").tool("phpstan").pattern(r"Found [1-9]\d* errors?"),
    summary("phpcs.found", "found ", LintError, "FOUND 2 ERRORS AFFECTING 2 LINES", "found 0").tool("phpcs").pattern(r"^FOUND [1-9]\d* ERRORS?"),
    suggestive("php.warning", "php warning:", RuntimeException, "PHP Warning:  Undefined variable $x in /x/a.php on line 3", "warning").tool("php").aside(),
    summary("php-cs-fixer.count", "that can be fixed in", LintError, "Found 2 of 10 files that can be fixed in 0.100 seconds, 14.000 MB memory used", "Found 0 of 10 files that can be fixed in 0.1 seconds").tool("php-cs-fixer").pattern(r"Found [1-9]"),
    decisive("phan.issue", " phan", LintError, "src/a.php:3 PhanUndeclaredVariable Variable $x is undeclared", "a phantom").tool("phan").pattern(r"\.php:\d+ Phan[A-Z]\w+ "),
];
