//! Where a PostgreSQL journal is, and how to get in.
//!
//! In: `postgres://USER@HOST:PORT/DATABASE?...` from the command line, the environment or trusted settings. What the
//! address leaves out comes from the variables that libpq knows and from its password file, so that no password has to
//! be written into any settings. Out: how to connect. The password is part of nothing that is printed.

use crate::error::StoreError;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// The schema that holds the tables, where the address names no other.
const DEFAULT_SCHEMA: &str = "recovery";
const DEFAULT_PORT: u16 = 5432;
/// Where Debian's packages put the socket.
const SOCKET_DIR: &str = "/var/run/postgresql";

/// The address of a PostgreSQL journal.
#[derive(Clone)]
pub struct Address {
    pub(super) config: Config,
    /// The schema that holds the tables; a plain lower-case identifier.
    pub(super) schema: String,
    /// The authorities that a server's certificate is checked with; without it the public ones.
    pub(super) root_certificates: Option<PathBuf>,
}

/// A variable of the environment.
type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Address {
    /// The address `text`, completed from the environment.
    ///
    /// # Errors
    /// Where it cannot be parsed. The text is not repeated: it may hold a password.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        Self::complete(text, &|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn complete(text: &str, variable: Variable<'_>) -> Result<Self, StoreError> {
        let invalid = |reason: &str| StoreError::InvalidStore { reason: reason.to_owned() };
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let mut schema = DEFAULT_SCHEMA.to_owned();
        let mut ssl_mode = variable("PGSSLMODE");
        let mut root_certificates = variable("PGSSLROOTCERT").map(PathBuf::from);
        // Three settings mean more here than the driver knows.
        let mut others = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("schema", name)) => schema = name.to_owned(),
                Some(("sslmode", mode)) => ssl_mode = Some(mode.to_owned()),
                Some(("sslrootcert", path)) => root_certificates = Some(PathBuf::from(path)),
                _ => others.push(pair),
            }
        }
        let is_identifier = schema.starts_with(|c: char| c.is_ascii_lowercase())
            && schema.len() <= 63
            && schema.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if !is_identifier {
            return Err(invalid("schema must be lower-case letters, digits and _, at most 63"));
        }
        // The driver takes a host without a port to mean the default one, whatever the environment says.
        let base = &match (base.split_once("://"), variable("PGPORT")) {
            (Some((scheme, rest)), Some(port)) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                let host = authority.rsplit('@').next().unwrap_or_default();
                let names_one_host = !host.is_empty() && !host.contains([':', ',']);
                let port = if names_one_host { format!(":{port}") } else { String::new() };
                format!("{scheme}://{authority}{port}{path}")
            }
            _ => base.to_owned(),
        };
        let plain = if others.is_empty() { base.to_owned() } else { format!("{base}?{}", others.join("&")) };
        let mut config: Config =
            plain.parse().map_err(|_| invalid("it should read postgres://USER@HOST:PORT/DATABASE"))?;
        config.ssl_mode(match ssl_mode.as_deref() {
            None | Some("allow" | "prefer") => SslMode::Prefer,
            Some("disable") => SslMode::Disable,
            // A certificate is always checked, whatever libpq would let pass.
            Some("require" | "verify-ca" | "verify-full") => SslMode::Require,
            Some(_) => return Err(invalid("sslmode must be disable, prefer, require or verify-full")),
        });
        if config.get_hosts().is_empty() {
            let socket = || Path::new(SOCKET_DIR).is_dir().then(|| SOCKET_DIR.to_owned());
            config.host(variable("PGHOST").or_else(socket).unwrap_or_else(|| "localhost".to_owned()));
        }
        if config.get_ports().is_empty() {
            let port =
                variable("PGPORT").map(|port| port.parse().map_err(|_| invalid("PGPORT is no port"))).transpose()?;
            config.port(port.unwrap_or(DEFAULT_PORT));
        }
        if config.get_user().is_none() {
            let user = ["PGUSER", "USER", "LOGNAME"].into_iter().find_map(variable);
            config.user(user.ok_or_else(|| invalid("it names no user, and PGUSER is not set"))?);
        }
        if config.get_dbname().is_none() {
            let user = config.get_user().unwrap_or_default().to_owned();
            config.dbname(variable("PGDATABASE").unwrap_or(user));
        }
        if config.get_application_name().is_none() {
            config.application_name(variable("PGAPPNAME").unwrap_or_else(|| "recovery".to_owned()));
        }
        if let Some(seconds) = variable("PGCONNECT_TIMEOUT").and_then(|text| text.parse().ok())
            && config.get_connect_timeout().is_none()
        {
            config.connect_timeout(Duration::from_secs(seconds));
        }
        let mut address = Self { config, schema, root_certificates };
        if address.config.get_password().is_none()
            && let Some(password) = variable("PGPASSWORD").or_else(|| address.password_in_file(variable))
        {
            address.config.password(password);
        }
        Ok(address)
    }

    /// The password that libpq's file holds for this address. A file that others can read is not used, as libpq has it.
    fn password_in_file(&self, variable: Variable<'_>) -> Option<String> {
        let home = || Some(PathBuf::from(variable("HOME")?).join(".pgpass"));
        let path = variable("PGPASSFILE").map(PathBuf::from).or_else(home)?;
        let is_private = path.metadata().ok()?.permissions().mode() & 0o077 == 0;
        let text = std::fs::read_to_string(&path).ok().filter(|_| is_private)?;
        let port = self.port().to_string();
        let wanted = [&self.host(), &port, self.database(), self.user()].map(|field| field.to_owned());
        text.lines().find_map(|line| password_in_line(line, &wanted))
    }

    fn host(&self) -> String {
        match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            // libpq's file knows every socket as the local host.
            Some(Host::Unix(_)) | None => "localhost".to_owned(),
        }
    }

    fn port(&self) -> u16 {
        self.config.get_ports().first().copied().unwrap_or(DEFAULT_PORT)
    }

    fn user(&self) -> &str {
        self.config.get_user().unwrap_or_default()
    }

    fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or_default()
    }
}

/// The last field of a line `host:port:database:user:password` whose first four are `wanted` or `*`. A backslash makes the
/// next character an ordinary one.
fn password_in_line(line: &str, wanted: &[String; 4]) -> Option<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.trim_end_matches('\r').chars();
    while let Some(c) = characters.next() {
        match c {
            ':' if fields.len() < 5 => fields.push(String::new()),
            _ => {
                let c = if c == '\\' { characters.next()? } else { c };
                fields.last_mut()?.push(c);
            }
        }
    }
    let [host, port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
    let matches = |(given, wanted): (&String, &String)| given == "*" || given == wanted;
    let is_meant = !line.starts_with('#') && [host, port, database, user].iter().zip(wanted).all(matches);
    is_meant.then_some(password)
}

/// Without the password.
impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "postgres://{}@{}:{}/{}", self.user(), self.host(), self.port(), self.database())?;
        if self.schema == DEFAULT_SCHEMA { Ok(()) } else { write!(f, "?schema={}", self.schema) }
    }
}

/// Without the password.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(text: &str, variables: &[(&str, &str)]) -> Result<Address, StoreError> {
        let found =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Address::complete(text, &found)
    }

    fn password(address: &Address) -> Option<&str> {
        address.config.get_password().map(|bytes| std::str::from_utf8(bytes).unwrap())
    }

    #[test]
    fn what_the_address_leaves_out_comes_from_the_environment() {
        let variables = [("PGUSER", "agent"), ("PGHOST", "db"), ("PGPORT", "6000"), ("PGPASSWORD", "hunter2")];
        let address = complete("postgres://", &variables).unwrap();
        assert_eq!(address.to_string(), "postgres://agent@db:6000/agent");
        assert_eq!(password(&address), Some("hunter2"));
        let address = complete("postgres://me:own@host/ci?schema=team_a&sslmode=verify-full", &variables).unwrap();
        assert_eq!(address.to_string(), "postgres://me@host:6000/ci?schema=team_a");
        assert_eq!((password(&address), address.config.get_ssl_mode()), (Some("own"), SslMode::Require));
        assert!(complete("postgres://host/db", &[]).unwrap_err().to_string().contains("PGUSER"));
    }

    #[test]
    fn the_password_is_never_shown() {
        let address = complete("postgres://me:hunter2@host/db", &[]).unwrap();
        assert!(!format!("{address} {address:?}").contains("hunter2"));
        for wrong in [
            "postgres://me:hunter2@host:port/db",
            "postgres://me:hunter2@h/d?schema=A;B",
            "postgres://me:hunter2@h/d?sslmode=x",
        ] {
            let error = complete(wrong, &[]).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn the_password_file_is_read_as_libpq_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pgpass");
        std::fs::write(&path, "# db:*:*:me:commented\nother:*:*:me:no\ndb:5432:ci:me:a\\:b\\\\c\n*:*:*:*:last\n")
            .unwrap();
        let variables = [("PGPASSFILE", path.to_str().unwrap())];
        let open = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        open(0o644);
        assert_eq!(password(&complete("postgres://me@db/ci", &variables).unwrap()), None, "others can read it");
        open(0o600);
        assert_eq!(password(&complete("postgres://me@db/ci", &variables).unwrap()), Some("a:b\\c"));
        assert_eq!(password(&complete("postgres://me@db/xx", &variables).unwrap()), Some("last"));
    }
}
