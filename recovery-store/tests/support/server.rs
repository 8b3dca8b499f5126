//! A PostgreSQL server for tests: made with `initdb` in a temporary directory, stopped when it is dropped.
//!
//! PostgreSQL does not run as root; root starts it as `postgres` or `nobody`. Where its programs are missing, the tests
//! that need it are skipped, and say so; `RECOVERY_REQUIRE_POSTGRES=1` makes that a failure.

use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Server {
    dir: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
    /// Whether a commit waits for the disk.
    is_durable: bool,
}

impl Server {
    /// A new server; `None`, said aloud, where there is no PostgreSQL.
    #[allow(dead_code, reason = "not every program needs it")]
    pub fn start(tests: &str) -> Option<Self> {
        Self::start_as(tests, false)
    }

    /// As [`Server::start`], with commits that survive a loss of power.
    #[allow(dead_code, reason = "not every program needs it")]
    pub fn start_durable(tests: &str) -> Option<Self> {
        Self::start_as(tests, true)
    }

    fn start_as(tests: &str, is_durable: bool) -> Option<Self> {
        let Some(bin) = programs() else {
            let skipped = format!(
                "skipped: {tests}: PostgreSQL's initdb was not found; install it (apt-get install postgresql) and run the \
                 tests again"
            );
            assert!(std::env::var_os("RECOVERY_REQUIRE_POSTGRES").is_none(), "{skipped}");
            println!("{skipped}");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        if let Some((uid, gid)) = owner() {
            chown(dir.path(), Some(uid), Some(gid)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Self { dir, bin, port, is_durable };
        server.run("initdb", &["--no-sync", "--auth=trust", "--username=admin", "--encoding=UTF8", "--locale=C", "-D"]);
        server.resume();
        Some(server)
    }

    /// Starts it after [`Server::crash`].
    pub fn resume(&self) {
        // Without fsync a commit still survives the death of every process, which is all that tests look at.
        let fsync = if self.is_durable { "on" } else { "off" };
        let options = format!(
            "-c port={} -c listen_addresses=127.0.0.1 -c unix_socket_directories={} -c fsync={fsync} -c max_connections=200",
            self.port,
            self.dir.path().display()
        );
        let log = self.dir.path().join("log");
        self.run("pg_ctl", &["start", "-w", "-s", "-l", log.to_str().unwrap(), "-o", &options, "-D"]);
    }

    /// Ends it as a loss of power would.
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn crash(&self) {
        self.run("pg_ctl", &["stop", "-m", "immediate", "-s", "-D"]);
    }

    /// From here on it has TLS, with a certificate of its own for `localhost`, made as PostgreSQL's manual says.
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn secure(&self) {
        let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../recovery-store/tests/fixtures"));
        for (from, to) in [("loopback.crt", "server.crt"), ("loopback.key", "server.key")] {
            let file = self.dir.path().join("data").join(to);
            std::fs::copy(fixtures.join(from), &file).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
            if let Some((uid, gid)) = owner() {
                chown(&file, Some(uid), Some(gid)).unwrap();
            }
        }
        self.sql("ALTER SYSTEM SET ssl = on");
        self.crash();
        self.resume();
    }

    /// From here on everybody but the administrator needs a password.
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn ask_for_passwords(&self) {
        let rules = "host all admin all trust\nhost all all all scram-sha-256\n";
        std::fs::write(self.dir.path().join("data/pg_hba.conf"), rules).unwrap();
        self.sql("SELECT pg_reload_conf()");
        // The signal reaches the server a moment later.
        std::thread::sleep(std::time::Duration::from_millis(300));
    }

    /// One of PostgreSQL's programs.
    #[allow(dead_code, reason = "not every program needs it")]
    pub fn program(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// The port on 127.0.0.1.
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a journal in a schema of its own.
    pub fn address(&self, schema: &str) -> String {
        self.address_of("admin", schema)
    }

    pub fn address_of(&self, user: &str, schema: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/postgres?schema={schema}&sslmode=disable", self.port)
    }

    /// Runs SQL as the administrator and returns what it prints.
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn sql(&self, sql: &str) -> String {
        let port = self.port.to_string();
        let run = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-At", "-h", "127.0.0.1", "-p", &port, "-U", "admin", "-d", "postgres", "-c", sql])
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap().trim().to_owned()
    }

    fn run(&self, program: &str, args: &[&str]) {
        let mut command = Command::new(self.bin.join(program));
        command.args(args).arg(self.dir.path().join("data")).stdin(Stdio::null()).current_dir(self.dir.path());
        // A server that inherits our output keeps whoever reads it waiting.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((uid, gid)) = owner() {
            command.uid(uid).gid(gid);
        }
        let status = command.status().unwrap();
        let log = std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
        assert!(status.success(), "{program} failed: {log}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut command = Command::new(self.bin.join("pg_ctl"));
        command.args(["stop", "-m", "immediate", "-s", "-D"]).arg(self.dir.path().join("data"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((uid, gid)) = owner() {
            command.uid(uid).gid(gid);
        }
        let _ = command.status();
    }
}

/// Where PostgreSQL's programs are: on the path, or where Debian puts them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let places = std::env::split_paths(&path).chain(debian.map(|version| version.path().join("bin")));
    let has_all = |dir: &PathBuf| ["initdb", "pg_ctl", "postgres", "psql"].iter().all(|name| dir.join(name).exists());
    places.into_iter().find(has_all)
}

/// Whom the server runs as, where we are root.
fn owner() -> Option<(u32, u32)> {
    let is_root = Path::new("/proc/self").metadata().map(|meta| std::os::unix::fs::MetadataExt::uid(&meta)).ok()? == 0;
    if !is_root {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    ids("postgres").or_else(|| ids("nobody"))
}
