//! Steps for what the operating system or a server refuses: missing rights, and missing or expired logins.
//!
//! In: the evidence of a [`Case`](super::Case). Out: a step that names the file, the account or the server, with the
//! command that shows the owner or starts the login. `login` and `denied` are separate rows of `STEPS`, because a login is
//! fixed by credentials and a denial by rights.
//!
//! `LOGINS` and `ROWS` are message templates as the tools print them, from specific to general: `{}: Permission denied`
//! comes last. Without a matching template the error type of the diagnosis gives a general step that quotes the line. Keys
//! that only a person can renew are in `quota`.

use super::words::{about, is_plain_word, quote, shell_quoted, step};
use super::{Case, Row, Seen, first, row};
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// A login or key is missing or wrong, or a login has expired.
pub(super) fn login(case: &Case<'_>) -> Option<Adjustment> {
    if let Some(found) = first(LOGINS, case) {
        return Some(found);
    }
    (case.request.error_type == Some(ErrorType::MissingCredentials)).then(|| {
        let url = case.lines().find_map(super::transient::url_in);
        let line = case.line_about(&["auth", "key", "token", "credential", "login", "password", "401", "403"]);
        let whom = whom(url, line.as_deref());
        let line = line.map(|line| format!(": {line}")).unwrap_or_default();
        let text = format!("log in{whom}, or give a valid key; repeating does not help{line}");
        let subject = url.map(str::to_owned);
        Adjustment { subject, ..step(AdjustmentKind::Authenticate, text) }
    })
}

/// The operating system or a server forbids it.
pub(super) fn denied(case: &Case<'_>) -> Option<Adjustment> {
    if let Some(found) = first(ROWS, case) {
        return Some(found);
    }
    (case.request.error_type == Some(ErrorType::PermissionDenied) && !case.is_remark_on_code()).then(|| {
        let url = case.lines().find_map(super::transient::url_in);
        let line = case.line_about(&["denied", "forbidden", "403", "not authorized", "not permitted", "permission"]);
        let whom = whom(url, line.as_deref());
        let line = line.map(|line| format!(": {line}")).unwrap_or_default();
        let text = format!("get access{whom}; repeating does not help{line}");
        let subject = url.map(str::to_owned);
        Adjustment { subject, ..step(AdjustmentKind::GrantPermission, text) }
    })
}

/// ` to example.org` where the quoted line has the address, else with the whole address.
fn whom(url: Option<&str>, line: Option<&str>) -> String {
    let Some(url) = url else { return String::new() };
    let is_quoted = line.is_some_and(|line| line.contains(url));
    let shown = if is_quoted { super::transient::host_of(url).unwrap_or(url) } else { url };
    format!(" to {shown}")
}

/// Messages about missing logins.
const LOGINS: &[Row] = &[
    row("Permission denied (publickey", ssh),
    row("Host key verification failed", host_key),
    row("Authentication failed for '{}'", |s| git_login(s.hole(0))),
    row("could not read Username for '{}'", |s| git_login(s.hole(0))),
    row("password authentication failed for user \"{}\"", |s| {
        user_login(s.hole(0), "correct the password of database user")
    }),
    row("Access denied for user '{}'@", |s| user_login(s.hole(0), "correct the password or rights of database user")),
    row("denied: requested access to the resource is denied", |_| {
        command("registry", "log in to the image registry", "docker login")
    }),
    row("unauthorized: authentication required", |_| {
        command("registry", "log in to the image registry", "docker login")
    }),
    row("no basic auth credentials", |_| command("registry", "log in to the image registry", "docker login")),
    row("push access denied for {w}", |s| {
        let image = s.hole(0).trim_end_matches(',');
        command(image, &format!("correct the image name {image}, or log in to its registry"), "docker login")
    }),
    row("pull access denied for {w}", |s| {
        let image = s.hole(0).trim_end_matches(',');
        command(image, &format!("correct the image name {image}, or log in to its registry"), "docker login")
    }),
    row("npm error code ENEEDAUTH", |_| command("npm", "log in to the npm registry", "npm login")),
    row("npm ERR! code ENEEDAUTH", |_| command("npm", "log in to the npm registry", "npm login")),
    row("npm error code E401", |_| command("npm", "log in to the npm registry", "npm login")),
    row("Unable to locate credentials", |_| command("AWS", "give the AWS credentials", "aws configure")),
    row("The SSO session associated with this profile has expired", |_| {
        command("AWS", "log in to AWS again", "aws sso login")
    }),
    row("could not find default credentials", |_| {
        command("Google Cloud", "log in to Google Cloud", "gcloud auth application-default login")
    }),
    row("gh auth login", |_| command("GitHub", "log in to GitHub", "gh auth login")),
    row("Unable to authenticate, need: {}", |s| {
        let text = format!("log in, or give a valid key: {}", quote(s.line));
        Some(Adjustment { subject: Some(s.hole(0).to_owned()), ..step(AdjustmentKind::Authenticate, text) })
    }),
    row("Username/Password Authentication Failed", url_login),
    row("could not be queried due to a lack of valid authentication credentials", url_login),
    row("Please run 'az login'", |_| command("Azure", "log in to Azure", "az login")),
    row("Please run: gcloud auth login", |_| command("Google Cloud", "log in to Google Cloud", "gcloud auth login")),
    row("gcloud auth login", |_| command("Google Cloud", "log in to Google Cloud", "gcloud auth login")),
    row("ExpiredToken", expired),
    row("token has expired", expired),
    row("token is expired", expired),
    row("key has expired", expired),
    row("fe_sendauth: no password supplied", |_| {
        Some(about(
            AdjustmentKind::Authenticate,
            "PGPASSWORD",
            "give the database password (PGPASSWORD or ~/.pgpass)",
            None,
        ))
    }),
    row("NOAUTH Authentication required", |_| user_login("redis", "give the password of")),
    row("error: You must be logged in to the server", |_| {
        command("kubernetes", "renew the cluster login of the current context", "kubectl config current-context")
    }),
];

/// Messages about missing rights.
const ROWS: &[Row] = &[
    row("detected dubious ownership in repository at '{}'", |s| dubious(s.hole(0))),
    row("refusing to allow {} to create or update workflow `{}`", |s| {
        let text = format!("give the token the right to change workflows, or leave {} out", s.hole(1));
        Some(about(AdjustmentKind::GrantPermission, s.hole(1), text, None))
    }),
    row("Protected branch update failed for {w}", |s| {
        let branch = s.hole(0).trim_end_matches('.').trim_start_matches("refs/heads/");
        let text = format!("push to another branch and open a pull request, {branch} is protected");
        Some(about(AdjustmentKind::GrantPermission, branch, text, None))
    }),
    row("Resource not accessible by integration", |s| {
        let text =
            format!("give the job's token the permission it lacks (`permissions:` in the workflow): {}", quote(s.line));
        Some(step(AdjustmentKind::GrantPermission, text))
    }),
    row("can not open a temporary file for `{}'", |s| allow(s.hole(0))),
    row("can not open a temporary file for `{w}", |s| allow(s.hole(0))),
    row("cannot create regular file '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot move '{}' to '{}': Permission denied", |s| allow(s.hole(1))),
    row("cannot stat '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot open '{}' for reading: Permission denied", |s| allow(s.hole(0))),
    row("Permission denied @ {w} - {}", |s| allow(s.hole(1))),
    row("({}): Failed to open stream: Permission denied", |s| allow(s.hole(0))),
    row("({}): failed to open stream: Permission denied", |s| allow(s.hole(0))),
    row("{w} (Permission denied)", |s| allow(s.hole(0))),
    row("Unable to create '{}': Permission denied", |s| allow(s.hole(0))),
    row("{w}: Cannot open: Permission denied", |s| allow(s.hole(0))),
    row("are you root?", superuser),
    row("superuser privileges", superuser),
    row("must be run as root", superuser),
    row("must be root", superuser),
    row("requires root", superuser),
    row("could not open '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot open '{}' for writing: Permission denied", |s| allow(s.hole(0))),
    row("cannot create directory '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot access '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot open directory '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot remove '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot touch '{}': Permission denied", |s| allow(s.hole(0))),
    row("cannot open output file {}: Permission denied", |s| allow(s.hole(0))),
    row("Could not open lock file {w} - open (13: Permission denied)", |s| root(s.hole(0))),
    row("[Errno 13] Permission denied: '{}'", |s| allow(s.hole(0))),
    row("EACCES: permission denied, {w} '{}'", |s| allow(s.hole(1))),
    row("Error: EACCES: permission denied {w}", |s| allow(s.hole(0))),
    row("EPERM: operation not permitted, {w} '{}'", |s| allow(s.hole(1))),
    row("open {w} permission denied", |s| allow(s.hole(0))),
    row("dial unix {w} connect: permission denied", |s| docker_group(s.hole(0))),
    row("permission denied while trying to connect to the Docker daemon socket", |_| {
        docker_group("/var/run/docker.sock")
    }),
    row("permission denied while trying to connect to the docker API", |_| docker_group("/var/run/docker.sock")),
    row("permission denied for table {w}", |s| grant(s.hole(0))),
    row("permission denied for relation {w}", |s| grant(s.hole(0))),
    row("permission denied for schema {w}", |s| grant(s.hole(0))),
    row("java.nio.file.AccessDeniedException: {w}", |s| allow(s.hole(0))),
    row("Access to the path '{}' is denied", |s| allow(s.hole(0))),
    row("attempt to write a readonly database", |_| {
        Some(about(
            AdjustmentKind::GrantPermission,
            "database",
            "make the database file and its directory writable",
            None,
        ))
    }),
    row("Read-only file system: '{}'", |s| elsewhere(s.hole(0))),
    row("cannot touch '{}': Read-only file system", |s| elsewhere(s.hole(0))),
    row("EROFS: read-only file system, {w} '{}'", |s| elsewhere(s.hole(1))),
    row("{}: Read-only file system", |s| elsewhere(s.hole(0).rsplit(": ").next()?)),
    row("{}: Permission denied", shell),
    row("permission denied: {w}", |s| shell_at(s.hole(0))),
    row("{}: permission denied", shell),
];

/// Give the right to `path`.
fn allow(path: &str) -> Option<Adjustment> {
    let path = path.trim_end_matches(':');
    let text = format!("get access to {path}, or use a path of your own; see who owns it");
    Some(about(AdjustmentKind::GrantPermission, path, text, Some(format!("ls -ld {}", shell_quoted(path)))))
}

/// A shell that may not run a file: `bash: ./run.sh: Permission denied`, `./run.sh: Permission denied`.
fn shell(seen: &Seen<'_>) -> Option<Adjustment> {
    let path = seen.hole(0).rsplit(": ").next()?.trim();
    let named = !path.contains(' ') && (path.contains(['/', '.']) || seen.line.matches(": ").count() == 2);
    if named { shell_at(path) } else { None }
}

fn shell_at(path: &str) -> Option<Adjustment> {
    let is_script = path.starts_with("./") || [".sh", ".py", ".pl", ".rb"].iter().any(|end| path.ends_with(end));
    if !is_script {
        return allow(path);
    }
    let command = format!("chmod +x {}", shell_quoted(path));
    Some(about(AdjustmentKind::GrantPermission, path, format!("make {path} executable"), Some(command)))
}

fn elsewhere(path: &str) -> Option<Adjustment> {
    let text = format!("write somewhere else than {path}, its file system is read-only");
    Some(about(AdjustmentKind::GrantPermission, path, text, None))
}

fn root(path: &str) -> Option<Adjustment> {
    Some(about(AdjustmentKind::GrantPermission, path, format!("run it as root, {path} is not yours"), None))
}

fn superuser(seen: &Seen<'_>) -> Option<Adjustment> {
    Some(step(AdjustmentKind::GrantPermission, format!("run it as root: {}", quote(seen.line))))
}

fn dubious(path: &str) -> Option<Adjustment> {
    let command = format!("git config --global --add safe.directory {}", shell_quoted(path));
    Some(about(AdjustmentKind::GrantPermission, path, format!("tell git that {path} is trusted"), Some(command)))
}

fn docker_group(socket: &str) -> Option<Adjustment> {
    let socket = socket.trim_end_matches(':');
    let text = format!("get access to {socket} (as root, add the user to the group docker), then log in anew");
    Some(about(AdjustmentKind::GrantPermission, socket, text, None))
}

fn grant(relation: &str) -> Option<Adjustment> {
    Some(about(
        AdjustmentKind::GrantPermission,
        relation,
        format!("grant the database user the right to {relation}"),
        None,
    ))
}

fn ssh(seen: &Seen<'_>) -> Option<Adjustment> {
    let who =
        seen.line.split(": Permission denied").next().map(str::trim).filter(|w| is_plain_word(w) && w.contains('@'));
    let at = who.map(|who| format!(" to {who}")).unwrap_or_default();
    let text = format!("give SSH a key that gives access{at}; see which ones it has");
    Some(about(AdjustmentKind::Authenticate, who.unwrap_or("ssh"), text, Some("ssh-add -l".to_owned())))
}

fn host_key(seen: &Seen<'_>) -> Option<Adjustment> {
    let host = super::pattern::Pattern::new("host key for {w} has changed").first(seen.text).map(|hit| hit.captures[0]);
    let host = host.filter(|h| is_plain_word(h));
    let command = host.map(|host| format!("ssh-keygen -R {host}"));
    let changed = seen.text.contains("HOST IDENTIFICATION HAS CHANGED");
    let text = if changed {
        "check the server's new host key with its owner, then remove the old one from known_hosts"
    } else {
        "check the server's host key with its owner, then accept it"
    };
    Some(about(AdjustmentKind::Authenticate, host.unwrap_or("host key"), text, command))
}

fn git_login(url: &str) -> Option<Adjustment> {
    Some(about(AdjustmentKind::Authenticate, url, format!("give git a login or token for {url}"), None))
}

fn user_login(user: &str, what: &str) -> Option<Adjustment> {
    Some(about(AdjustmentKind::Authenticate, user, format!("{what} {user}"), None))
}

fn url_login(seen: &Seen<'_>) -> Option<Adjustment> {
    let url = super::transient::url_in(seen.line).or_else(|| seen.text.lines().find_map(super::transient::url_in))?;
    let text = format!("give a login or key for {url}: {}", quote(seen.line));
    Some(Adjustment { subject: Some(url.to_owned()), ..step(AdjustmentKind::Authenticate, text) })
}

/// A key that ran out: a new one has to be made or asked for.
fn expired(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("log in again or get a new key, this one has expired: {}", quote(seen.line));
    Some(step(AdjustmentKind::Authenticate, text))
}

fn command(subject: &str, text: &str, command: &str) -> Option<Adjustment> {
    Some(about(AdjustmentKind::Authenticate, subject, text, Some(command.to_owned())))
}
