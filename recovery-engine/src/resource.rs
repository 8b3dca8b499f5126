//! The resource of a failure, if the text shows it.
//!
//! In: what a command printed. Out: a name that every task which meets the same limit finds too, such as
//! `registry:registry.npmjs.org`, `model:anthropic`, `database:db.internal:5432`, `lock:/var/lib/dpkg/lock-frontend` or
//! `host:api.example.com`. Nothing is guessed: a text that names none has none. Lines are read in order of
//! relevance (the indicator's line, the last lines, the command); on a line the first row of [`RULES`] that finds
//! something wins.

use crate::Engine;
use crate::assess::output;
use failure_taxonomy::normalise::strip_ansi;
use recovery_types::{Diagnosis, FailureEvent};
use std::borrow::Cow;

impl Engine {
    /// The resource of a failure, if its output or command shows it: the line of the indicator comes first, then the
    /// last lines, then the command.
    pub(crate) fn resource(&self, event: &FailureEvent, diagnosis: &Diagnosis) -> Option<String> {
        const LAST_LINES: usize = 40;
        let printed = output(event);
        let text = strip_ansi(&printed);
        let wanted: Vec<String> = diagnosis
            .indicators
            .iter()
            .map(|hit| hit.text.to_ascii_lowercase())
            .filter(|text| !text.is_empty())
            .collect();
        let has_indicator = |line: &&str| {
            let line = line.to_ascii_lowercase();
            wanted.iter().any(|text| line.contains(text.as_str()))
        };
        let pointed = text.lines().rev().take(LAST_LINES).filter(has_indicator);
        resource_in(pointed.chain(text.lines().rev().take(LAST_LINES)).chain(event.action.as_deref()))
    }

    /// The resource that a command names, such as the host of its address.
    #[must_use]
    pub fn resource_of_command(&self, command: &str) -> Option<String> {
        resource_in(std::iter::once(command))
    }
}

/// One way to name a resource on a line.
struct Rule {
    kind: &'static str,
    find: fn(&str) -> Option<Cow<'_, str>>,
}

/// In order of precedence: the name of a service is more specific than its host.
const RULES: [Rule; 4] = [
    Rule { kind: "lock", find: lock },
    Rule { kind: "database", find: database },
    Rule { kind: "model", find: provider },
    Rule { kind: "host", find: host },
];

/// Hosts of package registries, whatever path below them.
const REGISTRIES: [&str; 14] = [
    "registry.npmjs.org", "registry.yarnpkg.com", "index.crates.io", "static.crates.io", "crates.io", "pypi.org",
    "files.pythonhosted.org", "rubygems.org", "proxy.golang.org", "repo.maven.apache.org", "repo1.maven.org",
    "registry-1.docker.io", "auth.docker.io", "ghcr.io",
];

/// Model providers by the host of their API.
const PROVIDERS: [(&str, &str); 8] = [
    ("api.anthropic.com", "anthropic"),
    ("api.openai.com", "openai"),
    ("generativelanguage.googleapis.com", "google"),
    ("api.mistral.ai", "mistral"),
    ("api.deepseek.com", "deepseek"),
    ("api.groq.com", "groq"),
    ("openrouter.ai", "openrouter"),
    ("api.x.ai", "xai"),
];

/// Ports that databases listen on.
const DATABASE_PORTS: [&str; 6] = ["5432", "3306", "6379", "27017", "1433", "9042"];

/// The resource that `lines` name, most informative line first.
pub(crate) fn resource_in<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    const MAX_NAME_BYTES: usize = 160;
    lines.filter(|line| line.len() < 4_096).find_map(|line| {
        let (rule, name) = RULES.iter().find_map(|rule| (rule.find)(line).map(|name| (rule, name)))?;
        let kind = if rule.kind == "host" && REGISTRIES.contains(&name.as_ref()) { "registry" } else { rule.kind };
        let is_plain = !name.is_empty() && !name.chars().any(|c| c.is_control() || c.is_whitespace());
        (is_plain && name.len() <= MAX_NAME_BYTES).then(|| format!("{kind}:{name}"))
    })
}

/// A lock file that another process holds.
fn lock(line: &str) -> Option<Cow<'_, str>> {
    let path = after(line, "Could not get lock ")
        .or_else(|| after(line, "Unable to acquire the dpkg frontend lock ("))
        .or_else(|| after(line, "Unable to create '").filter(|_| line.contains(".lock': File exists")))?;
    let path = path.split(['\'', ')', ' ']).next()?.trim_end_matches(['.', ':', ',']);
    path.starts_with('/').then_some(Cow::Borrowed(path))
}

/// A database server, by its host and port.
fn database(line: &str) -> Option<Cow<'_, str>> {
    if let Some(rest) = after(line, "connection to server at \"") {
        let host = rest.split('"').next()?;
        let port = after(rest, "port ").and_then(|port| port.split(|c: char| !c.is_ascii_digit()).next());
        return Some(Cow::Owned(format!("{host}:{}", port.filter(|port| !port.is_empty()).unwrap_or("5432"))));
    }
    if let Some(rest) = after(line, "connect to MySQL server on '") {
        let server = rest.split('\'').next()?;
        return Some(Cow::Owned(if server.contains(':') { server.to_owned() } else { format!("{server}:3306") }));
    }
    let url = ["postgres://", "postgresql://", "mysql://", "redis://", "mongodb://"];
    if let Some(rest) = url.iter().find_map(|scheme| after(line, scheme)) {
        return authority(rest).map(Cow::Borrowed);
    }
    let (host, port) = endpoint(line)?;
    DATABASE_PORTS.contains(&port).then(|| Cow::Owned(format!("{host}:{port}")))
}

/// A model provider: its host, or its own error texts.
fn provider(line: &str) -> Option<Cow<'_, str>> {
    let by_host = PROVIDERS.iter().find(|(host, _)| line.contains(host)).map(|(_, name)| *name);
    // The type that only the API of this provider returns.
    let by_words = line.contains("overloaded_error").then_some("anthropic");
    by_host.or(by_words).map(Cow::Borrowed)
}

/// The host of an address, or the one that could not be resolved or reached.
fn host(line: &str) -> Option<Cow<'_, str>> {
    let scheme = ["https://", "http://", "ssh://", "git://"].into_iter().find(|scheme| line.contains(scheme));
    if let Some((before, rest)) = scheme.and_then(|scheme| line.split_once(scheme))
        && let Some(host) = authority(rest)
    {
        return (!is_reading(before, host)).then_some(Cow::Borrowed(host));
    }
    if let Some(name) = line.strip_prefix("host: ") {
        return name.contains('.').then(|| Cow::Owned(name.to_ascii_lowercase()));
    }
    let named = ["Could not resolve host: ", "ENOTFOUND ", "EAI_AGAIN ", "Could not resolve hostname "];
    if let Some(name) = named.iter().find_map(|words| after(line, words)) {
        let name = name.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).next()?;
        return name.contains('.').then(|| Cow::Owned(name.trim_end_matches('.').to_ascii_lowercase()));
    }
    let (host, port) = endpoint(line)?;
    Some(Cow::Owned(format!("{host}:{port}")))
}

/// Whether an address is there to be read by people, not what the command talked to: `For more information check:
/// https://developer.mozilla.org/...`.
fn is_reading(before: &str, host: &str) -> bool {
    const HOSTS: [&str; 6] = ["docs.", "doc.", "developer.", "developers.", "help.", "support."];
    const WORDS: [&str; 6] = ["see", "check", "visit", "read", "documentation", "docs"];
    let before = before.trim_end_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let is_last = |word: &str| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    let is_pointer = before.contains("more info") || WORDS.into_iter().any(is_last);
    is_pointer || HOSTS.iter().any(|start| host.starts_with(start))
}

/// The host and port after a refused, reset or timed-out connection.
fn endpoint(line: &str) -> Option<(&str, &str)> {
    let words = ["ECONNREFUSED ", "ETIMEDOUT ", "ECONNRESET ", "dial tcp ", "EHOSTUNREACH "];
    let named = words.iter().find_map(|words| after(line, words)).and_then(|rest| {
        let address = rest.split_whitespace().next()?.trim_end_matches([':', ',', ';', '.', ')']);
        address.rsplit_once(':')
    });
    let curl = || {
        let rest = after(line, "Failed to connect to ")?;
        rest.split_once(" port ")
    };
    let (host, rest) = named.or_else(curl)?;
    let port = rest.split(|c: char| !c.is_ascii_digit()).next().filter(|port| !port.is_empty())?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    (!host.is_empty() && host.chars().all(is_host)).then_some((host, port))
}

/// `host[:port]` of what follows `scheme://`, without user and password.
fn authority(rest: &str) -> Option<&str> {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '@' | '_' | '[' | ']')));
    let authority = &rest[..end.unwrap_or(rest.len())];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).trim_end_matches(['.', ':']);
    (!host.is_empty()).then_some(host)
}

fn after<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    line.find(words).map(|at| &line[at + words.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_shows_names_the_resource() {
        let cases = [
            (
                "npm error 429 Too Many Requests - GET https://registry.npmjs.org/left-pad",
                "registry:registry.npmjs.org",
            ),
            (
                "curl: (22) The requested URL returned error: 429 https://api.example.com:8443/v1?k=1",
                "host:api.example.com:8443",
            ),
            (
                "fatal: unable to access 'https://me@github.com/a/b.git/': The requested URL returned error: 503",
                "host:github.com",
            ),
            ("curl: (6) Could not resolve host: api.example.com", "host:api.example.com"),
            ("host: api.example.com", "host:api.example.com"),
            ("Client error '429 Too Many Requests' for url 'https://a.example/v1'", "host:a.example"),
            ("Error: getaddrinfo EAI_AGAIN registry.npmjs.org", "registry:registry.npmjs.org"),
            ("Error: connect ECONNREFUSED 127.0.0.1:5432", "database:127.0.0.1:5432"),
            ("Error: connect ECONNREFUSED 10.0.0.7:8080", "host:10.0.0.7:8080"),
            ("curl: (7) Failed to connect to build.internal port 8080 after 2 ms", "host:build.internal:8080"),
            ("dial tcp 10.1.2.3:443: i/o timeout", "host:10.1.2.3:443"),
            (
                "psql: error: connection to server at \"db.internal\" (10.0.0.2), port 5433 failed",
                "database:db.internal:5433",
            ),
            ("ERROR 2003 (HY000): Can't connect to MySQL server on 'db1' (111)", "database:db1:3306"),
            ("could not connect: redis://:[redacted:password]@cache:6379/0", "database:cache:6379"),
            (
                "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
                "model:anthropic",
            ),
            ("openai.RateLimitError: 429 POST https://api.openai.com/v1/chat/completions", "model:openai"),
            (
                "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12",
                "lock:/var/lib/dpkg/lock-frontend",
            ),
            ("fatal: Unable to create '/work/a/.git/index.lock': File exists.", "lock:/work/a/.git/index.lock"),
        ];
        for (line, resource) in cases {
            assert_eq!(resource_in([line].into_iter()).as_deref(), Some(resource), "{line}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        let lines = [
            "error[E0308]: mismatched types",
            "Error: read ECONNRESET",
            "429 Too Many Requests",
            "thread 'main' panicked at src/main.rs:4:18",
            "https://",
            "ECONNREFUSED somewhere without a port",
            "Could not resolve host: localhost",
            "For more information check: https://developer.mozilla.org/en-US/docs/Web/HTTP/Status/429",
            "error: 503, see https://status.example.com/",
            "https://docs.anthropic.com/en/api/errors",
        ];
        assert_eq!(resource_in(lines.into_iter()), None);
        assert_eq!(resource_in(["", "x https://a.example/"].into_iter()).as_deref(), Some("host:a.example"));
    }
}
