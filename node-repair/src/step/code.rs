//! Work on the code, a test or a setting, and where to look when nothing better is known.
//!
//! The words state what is wrong and where, as the root-cause problem has it: `fix src/main.rs:4:18: mismatched types
//! (E0308)`, `fix the test or the code: test_login at tests/test_a.py:12: assert 3 == 4 (expected: 4, got: 3)`.

use super::words::{quote, shorten, step};
use super::{Case, Row, first, row};
use crate::directive::one_line;
use recovery_types::diagnosis::Location;
use recovery_types::repair::Repeating;
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// Fix the code at its place.
pub(super) fn fix(case: &Case<'_>) -> Option<Adjustment> {
    if case.request.error_type == Some(ErrorType::MissingDependency) && case.place().is_none() {
        let line = case.headline().map(|line| format!(": {line}")).unwrap_or_default();
        return Some(step(
            AdjustmentKind::FixConfig,
            format!("make the dependency available, or correct what asks for it{line}"),
        ));
    }
    Some(at_place(case, AdjustmentKind::FixCode, "fix", "fix the code"))
}

/// A test and the code disagree.
pub(super) fn failing_test(case: &Case<'_>) -> Option<Adjustment> {
    let problem = case.request.problem.as_ref();
    let test = problem.and_then(|problem| problem.test.as_deref()).map(|test| shorten(&one_line(test), 160));
    let is_report = case.request.error_type == Some(ErrorType::TestFailure);
    if !is_report && test.is_none() {
        return None;
    }
    let mut text = "fix the test or the code".to_owned();
    let place = case.place();
    match (&test, &place) {
        // A test that is named by its file.
        (Some(test), Some(place)) if *test == place.file => text.push_str(&format!(" at {}", spoken(place))),
        (Some(test), Some(place)) => text.push_str(&format!(": {test} at {}", spoken(place))),
        (Some(test), None) => text.push_str(&format!(": {test}")),
        (None, Some(place)) => text.push_str(&format!(" at {}", spoken(place))),
        (None, None) => {}
    }
    if let Some(line) = case.headline() {
        text.push_str(&format!(": {line}"));
    }
    text.push_str(&difference(case));
    Some(Adjustment { subject: test, location: place, ..step(AdjustmentKind::FixTestOrCode, text) })
}

/// A tool rejects a setting, in its own words.
pub(super) fn rejected_setting(case: &Case<'_>) -> Option<Adjustment> {
    first(CONFIG, case)
}

/// A certificate that is not trusted.
pub(super) fn untrusted(case: &Case<'_>) -> Option<Adjustment> {
    let line = case.line_about(&["certificate", "x509", "cert", "ssl", "tls"])?;
    certificate(&line)
}

fn certificate(line: &str) -> Option<Adjustment> {
    let lower = line.to_ascii_lowercase();
    let what = match () {
        () if lower.contains("expired") => "renew the certificate, it has expired (or set the clock, if it is wrong)",
        () if lower.contains("not valid for") || lower.contains("is valid for") || lower.contains("does not match") => {
            "use the name that the certificate is for, or a certificate for this name"
        }
        () => "trust the certificate's issuer (add its CA), if it is the right one",
    };
    let text = format!("{what}; repeating does not help: {}", quote(line));
    Some(Adjustment { subject: Some("certificate".to_owned()), ..step(AdjustmentKind::FixConfig, text) })
}

/// A setting, a manifest or a data file is wrong.
pub(super) fn fix_config(case: &Case<'_>) -> Option<Adjustment> {
    let place = case.place().filter(|place| is_config_file(&place.file));
    let named = case.lines().take(2).flat_map(str::split_whitespace).find_map(config_file_in);
    if place.is_none() && named.is_none() {
        return None;
    }
    let mut adjustment = at_place(case, AdjustmentKind::FixConfig, "fix", "fix the configuration");
    if place.is_none()
        && let Some(file) = named
    {
        adjustment.text = one_line(&format!("fix {file}: {}", case.headline().unwrap_or_default()));
        adjustment.location = Some(Location { file: file.clone(), line: None, column: None, code: None });
        adjustment.subject = Some(file);
    }
    Some(adjustment)
}

/// A table, column or other object of a database that is not there.
pub(super) fn missing_in_database(case: &Case<'_>) -> Option<Adjustment> {
    first(DATABASE, case)
}

const DATABASE: &[Row] = &[
    row("no such table: {w}", |s| relation("table", s.hole(0), s.line)),
    row("no such column: {w}", |s| relation("column", s.hole(0), s.line)),
    row("relation \"{w}\" does not exist", |s| relation("table", s.hole(0), s.line)),
    row("column \"{w}\" does not exist", |s| relation("column", s.hole(0), s.line)),
    row("column {w} does not exist", |s| relation("column", s.hole(0), s.line)),
    row("Table '{w}' doesn't exist", |s| relation("table", s.hole(0), s.line)),
    row("Unknown column '{w}'", |s| relation("column", s.hole(0), s.line)),
    row("database \"{w}\" does not exist", |s| relation("database", s.hole(0), s.line)),
    row("Unknown database '{w}'", |s| relation("database", s.hole(0), s.line)),
    row("role \"{w}\" does not exist", |s| relation("role", s.hole(0), s.line)),
];

fn relation(what: &str, name: &str, line: &str) -> Option<Adjustment> {
    let name = name.trim_matches(|c: char| "'\"`.,;:()".contains(c));
    let text = format!("create the {what} {name} first (run the migrations), or correct its name: {}", quote(line));
    let is_name = !name.is_empty();
    is_name.then(|| Adjustment { subject: Some(name.to_owned()), ..step(AdjustmentKind::FixCode, text) })
}

/// A tool names the command that helps, and it is safe to run as it is.
pub(super) fn suggested_by_tool(case: &Case<'_>) -> Option<Adjustment> {
    let command = case.lines().find_map(super::hint::command_in)?;
    let kind = match case.request.error_type {
        Some(ErrorType::InvalidArgument | ErrorType::CommandNotFound) => AdjustmentKind::CorrectCommand,
        Some(ErrorType::MissingDependency) => AdjustmentKind::InstallPackage,
        _ => AdjustmentKind::FixConfig,
    };
    let tool = command.split(' ').next().unwrap_or_default();
    let text = format!("run what {} suggests", tool.trim_start_matches("./"));
    Some(super::words::about(kind, &command, text, Some(command.clone())))
}

/// Nothing certain: the place and the most specific line.
pub(super) fn look(case: &Case<'_>) -> Option<Adjustment> {
    let place = case.place();
    let text = match (&place, differing(case).or_else(|| case.headline())) {
        (Some(place), Some(line)) => format!("look at {}: {line}", spoken(place)),
        (Some(place), None) => format!("look at {}", spoken(place)),
        (None, Some(line)) => format!("look at this line first: {line}"),
        (None, None) if case.request.repeating == Repeating::Unsafe => {
            "check what it did: nothing was printed, and to run it again may not be safe".to_owned()
        }
        (None, None) => "run it again with its full output, nothing was printed to go by".to_owned(),
    };
    Some(Adjustment { location: place, ..step(AdjustmentKind::Look, text) })
}

/// What settings that a tool rejects look like.
const CONFIG: &[Row] = &[
    row("Invalid Version: {w}", |s| config_fix(s.hole(0), &format!("correct the version {}", s.hole(0)), s.line)),
    row("Invalid package manager specification in {w}", |s| setting(s.hole(0), s.line)),
    row("Host key verification failed", |s| {
        let what = "check that the host's key is the right one, then accept it (connect by hand once; an old key goes with ssh-keygen -R HOST)";
        config_fix("known_hosts", what, s.line)
    }),
    row("Error: no test specified", |s| {
        config_fix("package.json", "give package.json a test script, it has the one that npm init writes", s.line)
    }),
    row("{w}: *** missing separator", |s| {
        let place = s.hole(0);
        config_fix(place, &format!("begin the recipe line at {place} with a tab, not with spaces"), s.line)
    }),
    row("npm error JSON.parse", |s| setting("package.json", s.line)),
    row("npm ERR! JSON.parse", |s| setting("package.json", s.line)),
    row("exec format error", |s| {
        let what = "use a program or an image built for this processor, or name the interpreter in the script (#!)";
        config_fix("processor", what, s.line)
    }),
    row("error validating \"{}\": error validating data", |s| {
        // Charts are validated without a name.
        setting(if s.hole(0).is_empty() { "manifest" } else { s.hole(0) }, s.line)
    }),
    row("strict decoding error: unknown field \"{}\"", |s| setting(s.hole(0), s.line)),
    row("onfiguration is invalid", setting_below),
    row("Invalid configuration object", setting_below),
    row("Invalid configuration file", setting_below),
    row("Unknown configuration setting {w}", |s| setting(s.hole(0), s.line)),
    row("Unable to create Root Module: config {w}", |s| setting(s.hole(0).trim_matches(['{', '}', ',']), s.line)),
    row("unknown godebug '{}'", |s| setting(s.hole(0), s.line)),
    row("\"{}\" does not contain valid JSON", |s| setting(s.hole(0), s.line)),
    row("Parse error when loading {w}", |s| setting(s.hole(0).trim_end_matches(';'), s.line)),
    row("failed to parse manifest at `{}`", |s| setting(s.hole(0), s.line)),
    row("Non-parseable POM {w}", |s| setting(s.hole(0).trim_end_matches(':'), s.line)),
    row("error parsing {w}: yaml", |s| setting(s.hole(0), s.line)),
    row("Cannot find source file:", |s| {
        let file = s.below().next()?;
        config_fix(file, &format!("correct the source file {file}, which does not exist"), s.line)
    }),
    row("Unsupported config option for {w} '{}'", |s| setting(s.hole(1), s.line)),
    row("depends on undefined service {w}", |s| setting(s.hole(0).trim_matches(['"', ':', ',']), s.line)),
    row("No url found for submodule path '{}' in .gitmodules", |s| {
        config_fix(s.hole(0), "add the submodule's address to .gitmodules, or remove the submodule", s.line)
    }),
    row("You cannot publish over the previously published versions: {w}", |s| {
        let version = s.hole(0).trim_end_matches('.');
        config_fix(version, &format!("raise the version, {version} is published already"), s.line)
    }),
    row("NO_PUBKEY {w}", |s| {
        // Without this, apt only warns.
        let is_refused = s.text.contains("is not signed");
        let what = format!("add the repository's key {}, if you trust it", s.hole(0));
        is_refused.then(|| config_fix(s.hole(0), &what, s.line)).flatten()
    }),
    row("integrity checksum failed when using", |s| {
        config_fix("lock file", "clear the package manager's cache, then renew the entry in the lock file", s.line)
    }),
    row("checksum mismatch", |s| {
        config_fix(
            "go.sum",
            "find out which side is right: the module's content and the recorded checksum differ",
            s.line,
        )
    }),
    row("yaml.parser.ParserError: {}", yaml_file),
    row("yaml.scanner.ScannerError: {}", yaml_file),
    row("yaml: line {n}", |s| config_fix("yaml", "fix the YAML", s.line)),
    row("no email was given and auto-detection is disabled", |s| who_are_you(s.line)),
    row("Please tell me who you are", |s| who_are_you(s.line)),
    row("ESLint couldn't find a configuration file", |s| setting("eslint.config.js", s.line)),
    row("ESLint couldn't find an eslint.config", |s| setting("eslint.config.js", s.line)),
    row("SSL certificate problem", |s| certificate(s.line)),
    row("certificate verify failed", |s| certificate(s.line)),
    row("self-signed certificate", |s| certificate(s.line)),
    row("self signed certificate", |s| certificate(s.line)),
    row("certificate has expired", |s| certificate(s.line)),
    row("certificate signed by unknown authority", |s| certificate(s.line)),
    row("unable to find valid certification path", |s| certificate(s.line)),
    row("unable to get local issuer certificate", |s| certificate(s.line)),
];

fn setting(subject: &str, line: &str) -> Option<Adjustment> {
    let is_file = subject.contains('/') || is_config_file(subject);
    let what = if is_file { String::new() } else { "the setting ".to_owned() };
    let text = format!("fix {what}{}: {}", one_line(subject), quote(line));
    Some(Adjustment { subject: Some(one_line(subject)), ..step(AdjustmentKind::FixConfig, text) })
}

fn config_fix(subject: &str, what: &str, line: &str) -> Option<Adjustment> {
    let text = format!("{what}: {}", quote(line));
    Some(Adjustment { subject: Some(subject.to_owned()), ..step(AdjustmentKind::FixConfig, text) })
}

/// PyYAML names the file below its message: `  in "d.yaml", line 3, column 2`.
fn yaml_file(seen: &super::Seen<'_>) -> Option<Adjustment> {
    let place = super::pattern::Pattern::new("in \"{}\", line {n}");
    let hit = seen.below().take(6).filter_map(|line| place.first(line)).last()?;
    let (file, line) = (hit.captures[0].to_owned(), hit.captures[1].parse().ok());
    let text = format!("fix {file}:{}: {}", hit.captures[1], quote(seen.line));
    let location = Some(Location { file: file.clone(), line, column: None, code: None });
    Some(Adjustment { subject: Some(file), location, ..step(AdjustmentKind::FixConfig, text) })
}

fn who_are_you(line: &str) -> Option<Adjustment> {
    config_fix(
        "git config user.email",
        "tell git who commits, with `git config user.name` and `git config user.email`",
        line,
    )
}

/// A heading whose findings are listed below it.
fn setting_below(seen: &super::Seen<'_>) -> Option<Adjustment> {
    let finding = seen.below().next().unwrap_or(seen.line);
    let text = format!("fix the configuration: {}: {}", quote(seen.line).trim_end_matches(':'), quote(finding));
    Some(step(AdjustmentKind::FixConfig, text))
}

/// Files that configure rather than compute.
const CONFIG_FILES: &[&str] = &[
    "package.json", "composer.json", "cargo.toml", "pyproject.toml", "setup.cfg", "tox.ini", "go.mod", "go.work",
    "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "tsconfig.json", "gemfile", "dockerfile",
    "docker-compose.yml", "compose.yaml", "cmakelists.txt", "makefile", "chart.yaml", ".yarnrc.yml", ".npmrc",
    "requirements.txt", "environment.yml", "pubspec.yaml", "mix.exs", "rebar.config",
];

fn is_config_file(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_ascii_lowercase();
    let ends = [".toml", ".yml", ".yaml", ".ini", ".cfg", ".conf", ".properties", ".csproj", ".xml", ".json", ".jsonc"];
    CONFIG_FILES.contains(&name.as_str()) || ends.iter().any(|end| name.ends_with(end))
}

/// A well-known manifest or a path to a settings file in a word of a line.
fn config_file_in(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| "'\"`()[]{},;:<>".contains(c)).trim_end_matches('.');
    let word = word.split(':').next().unwrap_or(word);
    let is_url = word.contains("//");
    (!is_url && is_config_file(word) && word.len() < 300).then(|| word.to_owned())
}

fn at_place(case: &Case<'_>, kind: AdjustmentKind, with_place: &str, without: &str) -> Adjustment {
    let place = case.place();
    let line = case.headline();
    let code = case.request.problem.as_ref().and_then(|problem| problem.code.clone());
    let code = code.filter(|code| !line.as_deref().unwrap_or_default().contains(code.as_str()));
    let code = code.map(|code| format!(" ({})", one_line(&code))).unwrap_or_default();
    let text = match (&place, line) {
        (Some(place), Some(line)) => format!("{with_place} {}: {line}{code}", spoken(place)),
        (Some(place), None) => format!("{with_place} {}{code}", spoken(place)),
        (None, Some(line)) => format!("{without}: {line}{code}"),
        (None, None) => without.to_owned(),
    };
    let subject = place.as_ref().map(|place| one_line(&place.file));
    Adjustment { subject, location: place, ..step(kind, format!("{text}{}", difference(case))) }
}

/// `src/main.rs:4:18`.
fn spoken(place: &Location) -> String {
    let mut text = one_line(&place.file);
    for number in [place.line, place.column.filter(|_| place.line.is_some())].into_iter().flatten() {
        text.push_str(&format!(":{number}"));
    }
    text
}

/// ` (expected: 4, got: 3)`, where both are known and the message does not contain them already.
fn difference(case: &Case<'_>) -> String {
    let Some((expected, actual)) = expected_and_actual(case) else { return String::new() };
    format!(" (expected: {expected}, got: {actual})")
}

fn differing(case: &Case<'_>) -> Option<String> {
    let (expected, actual) = expected_and_actual(case)?;
    Some(format!("it should give {expected} and gives {actual}"))
}

fn expected_and_actual(case: &Case<'_>) -> Option<(String, String)> {
    let short = |text: &str| Some(shorten(&one_line(text), 120)).filter(|text| !text.is_empty());
    let problem = case.request.problem.as_ref();
    let error = &case.request.error;
    let expected = problem.and_then(|p| p.expected.as_deref()).or(error.expected.as_deref()).and_then(short)?;
    let actual = problem.and_then(|p| p.actual.as_deref()).or(error.actual.as_deref()).and_then(short)?;
    Some((expected, actual))
}
