//! Steps for versions that do not fit: a runtime that is too old, a package without that version, requirements that
//! exclude each other.
//!
//! In: the evidence of a [`Case`](super::Case). Out: a step that names what is wanted, what was found, and where known
//! the command that changes it. `ROWS` are message templates as the tools print them; rows that name both sides come
//! before rows that only report a mismatch.

use super::words::{about, is_plain_word, quote, shell_quoted, step};
use super::{Case, Row, Seen, first_with_line, row};
use crate::directive::one_line;
use recovery_types::{Adjustment, AdjustmentKind};

/// Two versions do not fit together. Messages that name both sides come before those that only report a mismatch.
pub(super) fn mismatched(case: &Case<'_>) -> Option<Adjustment> {
    let (line, found) = first_with_line(ROWS, case).or_else(|| first_with_line(UNSATISFIABLE, case))?;
    // The root cause's own message is shown beside every step.
    let message = case.request.problem.as_ref().map(|problem| one_line(&problem.message)).unwrap_or_default();
    let is_quoted = !message.is_empty() && (one_line(line).contains(&message) || message.contains(&one_line(line)));
    Some(if is_quoted { found } else { quoting(line, found) })
}

/// The step with the line that gives the reason, before its command.
fn quoting(line: &str, found: Adjustment) -> Adjustment {
    let line = quote(line);
    if found.text.contains(&line) {
        return found;
    }
    let text = match found.command.as_ref().and_then(|command| found.text.strip_suffix(&format!(": {command}"))) {
        Some(words) => format!("{words} ({line}): {}", found.command.as_deref().unwrap_or_default()),
        None => format!("{} ({line})", found.text),
    };
    Adjustment { text, ..found }
}

/// What version mismatches look like.
const ROWS: &[Row] = &[
    row("EBADENGINE   required: {}", engines),
    row("notsup Required: {}", npm_engines),
    row("The engine \"node\" is incompatible with this module. Expected version \"{}\". Got \"{}\"", |s| {
        mismatch("Node", s.hole(0), s.hole(1), Some(format!("nvm install {}", digits(s.hole(0)))))
    }),
    row("requires a different Python: {w} not in '{}'", |s| mismatch("Python", s.hole(1), s.hole(0), None)),
    row("The current project's supported Python range ({}) is not compatible", python_range),
    row("Python requirement ({}) does not include", python_range),
    row("incompatible constraints: {} and {}", |s| excluding(s.hole(0), s.hole(1), s)),
    row("requires rustc {w} or newer, while the currently active rustc version is {w}", |s| {
        rustc(s.hole(0), s.hole(1))
    }),
    row("rustc {w} is not supported by the following package", rust_msrv),
    row("cannot be built because it requires rustc {w} or newer", |s| rustc(s.hole(0), "")),
    row("feature `edition{n}` is required", |s| {
        mismatch("cargo", &format!("edition {}", s.hole(0)), "", Some("rustup update".to_owned()))
    }),
    row("go.mod requires go >= {w} (running go {w}", |s| go(s.hole(0), s.hole(1))),
    row("requires go >= {w} (running go {w}", |s| go(s.hole(0), s.hole(1))),
    row(
        "(class file version {w}), this version of the Java Runtime only recognizes class file versions up to {w}",
        |s| mismatch("Java", &java(s.hole(0)), &java(s.hole(1)), None),
    ),
    row("invalid source release: {w}", |s| mismatch("JDK", &format!("{} or newer", s.hole(0)), "", None)),
    row("defines \"packageManager\": \"{w}@{w}\". However the current global version of {w} is {w}", |s| {
        mismatch(s.hole(0), s.hole(1), s.hole(3), Some("corepack enable".to_owned()))
    }),
    row("numpy.dtype size changed, may indicate binary incompatibility", |_| {
        let text = "install versions of NumPy and of the package that were built for each other";
        Some(about(AdjustmentKind::MatchVersion, "numpy", text, None))
    }),
    row("no kernel image is available for execution on the device", |_| {
        Some(about(AdjustmentKind::MatchVersion, "GPU", "use a build of the library that is made for this GPU", None))
    }),
    row("error:0308010C:digital envelope routines::unsupported", |_| {
        let text = "use a version of the bundler that is made for this Node, or an older Node: OpenSSL 3 lacks the old hash that it asks for";
        Some(about(AdjustmentKind::MatchVersion, "openssl", text, None))
    }),
    row("invalid target release: {w}", |s| mismatch("JDK", &format!("{} or newer", s.hole(0)), "", None)),
    row("release version {w} not supported", |s| mismatch("JDK", &format!("{} or newer", s.hole(0)), "", None)),
    row("Your Ruby version is {w}, but your Gemfile specified {w}", |s| {
        mismatch(
            "Ruby",
            s.hole(1),
            s.hole(0).trim_end_matches(','),
            Some(format!("rbenv install {}", digits(s.hole(1)))),
        )
    }),
    row("CMake {w} or higher is required.  You are running version {w}", |s| {
        mismatch("CMake", &format!("{} or newer", s.hole(0)), s.hole(1), None)
    }),
    row("Detected JDK Version: {w} is not in the allowed range {w}", |s| mismatch("Java", s.hole(1), s.hole(0), None)),
    row("Detected JDK version {w} is not in the allowed range {w}", |s| mismatch("Java", s.hole(1), s.hole(0), None)),
    row("Detected Maven Version: {w} is not in the allowed range {w}", |s| {
        mismatch("Maven", s.hole(1), s.hole(0), None)
    }),
    row("requires php {w} -> your PHP version ({w}", |s| mismatch("PHP", s.hole(0), s.hole(1), None)),
    row("requires php {w} -> your php version ({w}", |s| mismatch("PHP", s.hole(0), s.hole(1), None)),
    row("the current .NET SDK does not support targeting {w} {w}", |s| mismatch(".NET SDK", s.hole(1), "", None)),
    row("A compatible .NET SDK was not found", dotnet),
    row("npm error peer {w} from {w}", |s| peer(s.hole(0), s.hole(1), s)),
    row("npm ERR! peer {w} from {w}", |s| peer(s.hole(0), s.hole(1), s)),
    row("has unmet peer dependency \"{w}\"", |s| {
        let (name, version) = s.hole(0).rsplit_once('@')?;
        peer_of(name, version, s)
    }),
    row("version `{w}' not found (required by {w}", |s| glibc(s.hole(0), s.hole(1))),
    row("Unsupported Terraform Core version", terraform),
    row("fatal error: module was compiled with Swift {w}", |s| mismatch("Swift", s.hole(0), "", None)),
    row(
        "The database cluster was initialized by PostgreSQL version {w}, which is not compatible with this version {w}",
        |s| mismatch("PostgreSQL", s.hole(0), s.hole(1), None),
    ),
    row(
        "The data directory was initialized by PostgreSQL version {w} which is not compatible with this version {w}",
        |s| mismatch("PostgreSQL", s.hole(0), s.hole(1), None),
    ),
    // The library was compiled for a newer Java than the one that compiles here.
    row("class file has wrong version {w}, should be {w}", |s| {
        mismatch("Java", &format!("{} or newer", java(s.hole(0))), &java(s.hole(1)), None)
    }),
    row("Unsupported class file major version {n}", |s| {
        mismatch("Java", "a tool that supports it", &java(s.hole(0)), None)
    }),
    row("requires php {w} but your php version ({w})", |s| mismatch("PHP", s.hole(0), s.hole(1), None)),
    row("Could not find a version that satisfies the requirement {w} (from versions: {})", pip_versions),
    row("No matching distribution found for {w}", |s| no_such_version("PyPI", s.hole(0), s)),
    row("No matching version found for {w}", |s| no_such_version("npm", s.hole(0), s)),
    row("notarget No matching version found for {w}", |s| no_such_version("npm", s.hole(0), s)),
    row("Couldn't find any versions for \"{}\" that matches \"{}\"", |s| unsatisfied(s.hole(0), s.hole(1), s)),
    row("{w}: No candidates found", |s| unsatisfied(s.hole(0), "", s)),
    row("failed to select a version for the requirement `{w} = \"{}\"", |s| unsatisfied(s.hole(0), s.hole(1), s)),
    row("failed to select a version for `{w}`", |s| unsatisfied(s.hole(0), "", s)),
    row("No valid distribution links found for package: \"{}\" version: \"{}\"", |s| {
        unsatisfied(s.hole(0), s.hole(1), s)
    }),
    row("Cannot install {} and {} because these package versions have conflicting dependencies", |s| {
        excluding(s.hole(0), s.hole(1), s)
    }),
    row("Cannot install {} because these package versions have conflicting dependencies", |s| {
        unsatisfied(s.hole(0), "", s)
    }),
    row("Bundler could not find compatible versions for gem \"{}\"", |s| unsatisfied(s.hole(0), "", s)),
    row("Your bundle is locked to {w} ({}), but that version could not be found", |s| {
        unsatisfied(s.hole(0), s.hole(1), s)
    }),
    row("unknown revision v{w}", |s| unsatisfied(s.hole(0), "", s)),
    row("module declares its path as: {w}", |s| unsatisfied(s.hole(0), "", s)),
    row("client version {w} is too old. Minimum supported API version is {w}", |s| {
        mismatch("the Docker client", s.hole(1), s.hole(0), None)
    }),
    row("client version {w} is too new. Maximum supported API version is {w}", |s| {
        mismatch("the Docker client", s.hole(1), s.hole(0), None)
    }),
    row("server version: {w}; pg_dump version: {w}", |s| mismatch("pg_dump", s.hole(0), s.hole(1), None)),
    row("only supports Chrome version {w}", |s| mismatch("Chrome", s.hole(0), "", None)),
    row("conflict: {w} {w} is installed but {w} requires {w}", |s| mismatch(s.hole(0), s.hole(3), s.hole(1), None)),
    row("requires {w}, but you have {w} {w} which is incompatible", pip_conflict),
];

/// Messages about requirements that exclude each other.
const UNSATISFIABLE: &[Row] = &[
    row("your requirements are unsatisfiable", unsatisfiable),
    row("doesn't match any versions, version solving failed", unsatisfiable),
    row("version solving failed", unsatisfiable),
    row("ResolutionImpossible", unsatisfiable),
    row("Your requirements could not be resolved to an installable set of packages", unsatisfiable),
    row("which is newer than target minimum deployment", unsatisfiable),
    row("server version mismatch", unsatisfiable),
    row("supports ChromeDriver", unsatisfiable),
    row("The following packages have unmet dependencies:", apt_unmet),
];

/// apt lists what cannot be had below: ` foo : Depends: libbar (>= 2.0) but 1.0 is to be installed`.
fn apt_unmet(seen: &Seen<'_>) -> Option<Adjustment> {
    let listed = seen.below().next().filter(|line| line.contains(" : "))?;
    let package = listed.split(" : ").next().unwrap_or_default();
    let text = format!("choose a version of {package} that fits what is installed, or change that: {}", quote(listed));
    Some(Adjustment { subject: Some(package.to_owned()), ..step(AdjustmentKind::MatchVersion, text) })
}

fn mismatch(what: &str, wanted: &str, found: &str, command: Option<String>) -> Option<Adjustment> {
    let (wanted, found) = (trimmed(wanted), trimmed(found));
    let there = if found.is_empty() { String::new() } else { format!(" instead of {found}") };
    let text = format!("use {what} {wanted}{there}");
    let command = command.filter(|c| c.split(' ').all(is_plain_word));
    Some(Adjustment {
        wanted: Some(wanted).filter(|w| !w.is_empty()),
        found: Some(found).filter(|f| !f.is_empty()),
        ..about(AdjustmentKind::MatchVersion, what, text, command)
    })
}

/// pip knows the package, but not this version; with no versions at all it does not know the name.
fn pip_versions(seen: &Seen<'_>) -> Option<Adjustment> {
    let versions = seen.hole(1).split(')').next().unwrap_or_default();
    if versions == "none" {
        return None;
    }
    let (name, wanted) = split_requirement(seen.hole(0));
    let newest = versions.rsplit(", ").next().unwrap_or_default();
    let there = format!("{newest} at most");
    let text =
        format!("ask for a version of {name} that exists instead of {wanted}; PyPI has {there}: {}", quote(seen.line));
    Some(Adjustment {
        subject: Some(seen.hole(0).to_owned()),
        wanted: Some(wanted.to_owned()),
        found: Some(newest.to_owned()),
        ..step(AdjustmentKind::MatchVersion, text)
    })
}

/// A requirement with a version in it is for one that does not exist; a bare name may be misspelt.
fn no_such_version(index: &str, requirement: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let requirement = requirement.trim_end_matches(['.', ',']);
    let (name, wanted) = split_requirement(requirement);
    if wanted.is_empty() {
        return None;
    }
    let text = format!("ask for a version of {name} that {index} has instead of {wanted}: {}", quote(seen.line));
    Some(Adjustment {
        subject: Some(requirement.to_owned()),
        wanted: Some(wanted.to_owned()),
        ..step(AdjustmentKind::MatchVersion, text)
    })
}

/// `cowsay==99.0` is `cowsay` and `==99.0`; `left-pad@9.9` is `left-pad` and `9.9`.
fn split_requirement(requirement: &str) -> (&str, &str) {
    if let Some(at) = requirement.find(['=', '<', '>', '~', '!']) {
        return requirement.split_at(at);
    }
    match requirement.rfind('@').filter(|at| *at > 0) {
        Some(at) => (&requirement[..at], &requirement[at + 1..]),
        None => (requirement, ""),
    }
}

fn unsatisfied(name: &str, wanted: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = trimmed(name);
    let asked = if wanted.is_empty() { String::new() } else { format!(" ({wanted} is asked for)") };
    let text = format!("ask for a version of {name} that exists and fits{asked}: {}", quote(seen.line));
    Some(Adjustment {
        subject: Some(name),
        wanted: Some(wanted.to_owned()).filter(|w| !w.is_empty()),
        ..step(AdjustmentKind::MatchVersion, text)
    })
}

/// Two requirements that exclude each other.
fn excluding(one: &str, other: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let whole = |requirement: &str| {
        if requirement.contains('(') { requirement.trim().to_owned() } else { trimmed(requirement) }
    };
    let (one, other) = (whole(one), whole(other));
    let text = format!("change one of the two requirements, they exclude each other: {one} and {other}");
    let text = if text.contains(&quote(seen.line)) { text } else { format!("{text} ({})", quote(seen.line)) };
    Some(Adjustment {
        subject: Some(format!("{one} and {other}")),
        wanted: Some(one),
        found: Some(other),
        ..step(AdjustmentKind::MatchVersion, text)
    })
}

/// Poetry: the project allows Pythons that a package does not: `- scipy requires Python <3.13,>=3.9, so it will not ...`.
fn python_range(seen: &Seen<'_>) -> Option<Adjustment> {
    let range = seen.hole(0);
    let needs = super::pattern::Pattern::new("{w} requires Python {w}").first(seen.text);
    let needs = needs.map(|hit| (hit.captures[0].to_owned(), trimmed(hit.captures[1])));
    let text = match &needs {
        Some((package, wanted)) => {
            format!("narrow the project's Python range {range} to what {package} needs ({wanted}), in pyproject.toml")
        }
        None => format!("narrow the project's Python range {range} to what its packages need, in pyproject.toml"),
    };
    let (wanted, found) = (needs.map(|(_, wanted)| wanted), Some(range.to_owned()));
    Some(Adjustment { wanted, found, ..about(AdjustmentKind::MatchVersion, "Python", text, None) })
}

/// Requirements that exclude each other: the lines below or beside name them.
fn unsatisfiable(seen: &Seen<'_>) -> Option<Adjustment> {
    // uv: a package that no index has is a wrong name, not a version that does not fit.
    if seen.text.contains("was not found in the package registry") {
        return None;
    }
    let below = seen.below().next().map(|line| format!(" {}", quote(line))).unwrap_or_default();
    let text = format!("change the versions asked for, they exclude each other: {}{below}", quote(seen.line));
    Some(step(AdjustmentKind::MatchVersion, text))
}

fn trimmed(version: &str) -> String {
    version.trim_end_matches(['.', ',', ';', ')', ':']).trim_matches(['\'', '"', '`']).trim().to_owned()
}

/// The version in a requirement (`>=18.0.0` is `18.0.0`).
fn digits(requirement: &str) -> String {
    let start = requirement.find(|c: char| c.is_ascii_digit()).unwrap_or(requirement.len());
    let version = &requirement[start..];
    version[..version.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(version.len())].to_owned()
}

/// npm: `required: { node: '>=22' },` and, a line below, `current: { node: 'v20.1.0', npm: '10.1.0' }`.
fn engines(seen: &Seen<'_>) -> Option<Adjustment> {
    let wanted_of = super::pattern::Pattern::new("node: '{}'");
    let wanted = wanted_of.first(seen.hole(0)).map(|hit| hit.captures[0])?;
    let current = seen.text.split_once("current: ").map_or("", |(_, after)| after);
    let found = wanted_of.first(current).map_or("", |hit| hit.captures[0]);
    mismatch("Node", wanted, found, Some(format!("nvm install {}", digits(wanted))))
}

/// npm with `engine-strict`: `notsup Required: {"node":">=99"}` and, a line below, `notsup Actual: {"node":"v20.1.0"}`.
fn npm_engines(seen: &Seen<'_>) -> Option<Adjustment> {
    let node = super::pattern::Pattern::new("\"node\":\"{}\"");
    let wanted = node.first(seen.hole(0)).map(|hit| hit.captures[0])?;
    let actual = seen.text.split_once("notsup Actual:").map_or("", |(_, after)| after);
    let found = node.first(actual).map_or("", |hit| hit.captures[0]);
    mismatch("Node", wanted, found, Some(format!("nvm install {}", digits(wanted))))
}

/// cargo: `rustc 1.70.0 is not supported by the following package:` and, below, `foo@1.0.0 requires rustc 1.80`.
fn rust_msrv(seen: &Seen<'_>) -> Option<Adjustment> {
    let wanted = seen.text.split_once("requires rustc ").map(|(_, after)| after)?;
    let wanted = wanted.split_whitespace().next()?;
    rustc(wanted, seen.hole(0))
}

fn rustc(wanted: &str, found: &str) -> Option<Adjustment> {
    mismatch("rustc", &format!("{} or newer", trimmed(wanted)), found, Some("rustup update".to_owned()))
}

fn go(wanted: &str, found: &str) -> Option<Adjustment> {
    let (wanted, found) = (trimmed(wanted), trimmed(found));
    let command = Some(format!("go install golang.org/dl/go{wanted}@latest"));
    mismatch("Go", &format!("{wanted} or newer"), &found, command)
}

/// The Java release of a class file version: 52.0 is Java 8.
fn java(class_file: &str) -> String {
    let major = class_file.split('.').next().and_then(|m| m.parse::<u32>().ok());
    match major.and_then(|m| m.checked_sub(44)) {
        Some(release) if release > 0 => release.to_string(),
        _ => trimmed(class_file),
    }
}

fn dotnet(seen: &Seen<'_>) -> Option<Adjustment> {
    let wanted = seen.text.split_once("Requested SDK version: ").map(|(_, after)| after)?;
    mismatch(".NET SDK", wanted.split_whitespace().next()?, "", None)
}

/// npm: `peer react@"^18.2.0" from datepick@4.1.0`.
fn peer(package: &str, by: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let package = package.replace('"', "");
    let (name, version) = package.rsplit_once('@').filter(|(name, _)| !name.is_empty())?;
    let command = format!("npm install {name}@{version}");
    let by = format!("; {} asks for it", trimmed(by));
    mismatch(name, version, &found_peer(name, seen.text), Some(command)).map(|adjustment| {
        let text = adjustment.text.replacen(": npm", &format!("{by}: npm"), 1);
        Adjustment { text, ..adjustment }
    })
}

fn peer_of(name: &str, version: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let command = Some(format!("{} {name}@{version}", super::package::node_add(seen.request)));
    mismatch(name, version, "", command.filter(|_| is_plain_word(version)))
}

/// npm: `Found: react@18.2.0`.
fn found_peer(name: &str, text: &str) -> String {
    let label = format!("Found: {name}@");
    let found = text.split_once(&label).map(|(_, after)| after.split_whitespace().next().unwrap_or_default());
    found.unwrap_or_default().to_owned()
}

fn glibc(symbol: &str, by: &str) -> Option<Adjustment> {
    let (library, version) = symbol.split_once('_').unwrap_or((symbol, ""));
    let text = format!("use a system with {library} {version} or newer, or rebuild {} here", trimmed(by));
    Some(Adjustment { wanted: Some(version.to_owned()), ..about(AdjustmentKind::MatchVersion, library, text, None) })
}

fn terraform(seen: &Seen<'_>) -> Option<Adjustment> {
    let wanted = super::pattern::Pattern::new("required_version = \"{}\"").first(seen.text).map(|hit| hit.captures[0]);
    let found = super::pattern::Pattern::new("does not support Terraform version {w}").first(seen.text);
    mismatch("Terraform", wanted.unwrap_or("the required version"), found.map_or("", |hit| hit.captures[0]), None)
}

/// pip: `foo 1.0 requires bar<2, but you have bar 2.1 which is incompatible.`
fn pip_conflict(seen: &Seen<'_>) -> Option<Adjustment> {
    let (wanted, name, found) = (seen.hole(0), seen.hole(1), seen.hole(2));
    let version = wanted.strip_prefix(name).unwrap_or(wanted);
    let command = format!("pip install {}", shell_quoted(wanted));
    let safe = wanted.bytes().all(|b| b.is_ascii_alphanumeric() || b"<>=!~.,_-[]".contains(&b));
    let adjustment = mismatch(name, version, found, None)?;
    let text = if safe { format!("{}: {command}", adjustment.text) } else { adjustment.text.clone() };
    Some(Adjustment { command: safe.then_some(command), text, ..adjustment })
}
