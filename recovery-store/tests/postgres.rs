//! The journal in a PostgreSQL database: every promise of the trait, and what only a server can do to it.
//!
//! Starts a server of its own (see `support/server.rs`). `RECOVERY_CRASH_RUNS` sets the number of runs of the kill test;
//! each kills eight writers.

#[path = "support/server.rs"]
mod server;

use recovery_store::conformance::{self, Tables};
use recovery_store::postgres::{Address, PostgresJournal};
use recovery_store::{
    AnyJournal, ContentId, FaultKind, Journal as _, JournalExt as _, NewRecord, RecordKind, Shipped, Spool, Store,
    StoreError, TaskId,
};
use recovery_types::Timestamp;
use server::Server;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_secs(20);

type Check = (&'static str, fn(&Server));

const CHECKS: [Check; 13] = [
    ("keeps_every_promise_of_the_trait", conforms),
    ("is_shared_by_many", is_shared),
    ("survives_faults", survives_faults),
    ("is_shared_by_versions", is_shared_by_versions),
    ("is_made_once_by_many_at_once", is_made_once),
    ("a_user_with_the_documented_rights_can_use_it", documented_rights),
    ("what_was_changed_by_hand_shows", tampering),
    ("what_a_server_has_lost_shows_on_the_machine_that_recorded_it", lost_by_the_server),
    ("errors_say_what_to_do_and_no_password", errors),
    ("a_server_that_went_away_loses_nothing_acknowledged", crash),
    ("outages_lose_nothing_and_repeat_nothing", outages),
    ("nothing_acknowledged_is_lost_to_kill_9", kills),
    ("tls_is_taken_and_checked_as_documented", tls),
];

fn main() {
    if let Ok(address) = std::env::var("RECOVERY_CRASH_STORE") {
        write_until_killed(&address);
    }
    // `cargo test NAME` selects by name, as the usual harness does.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let checks: Vec<_> = CHECKS.into_iter().filter(|(name, _)| is_wanted(name)).collect();
    if checks.is_empty() || std::env::args().any(|arg| arg == "--list") {
        return;
    }
    let Some(server) = Server::start("the PostgreSQL tests of recovery-store") else { return };
    for (name, check) in checks {
        let began = Instant::now();
        check(&server);
        println!("postgres: {name}: ok ({} ms)", began.elapsed().as_millis());
    }
}

fn open(server: &Server, schema: &str) -> PostgresJournal {
    PostgresJournal::open(&Address::parse(&server.address(schema)).unwrap(), WAIT).unwrap()
}

fn conforms(server: &Server) {
    let made = Cell::new(0);
    conformance::check(&|| {
        made.set(made.get() + 1);
        Box::new(open(server, &format!("conformance_{}", made.get())))
    });
}

fn is_shared(server: &Server) {
    conformance::check_shared(&|| Box::new(open(server, "shared")));
}

fn survives_faults(server: &Server) {
    conformance::check_faults(&Schema { server, name: "faults" });
}

fn is_shared_by_versions(server: &Server) {
    conformance::check_versions(&Schema { server, name: "versions" });
}

/// A journal's schema.
struct Schema<'a> {
    server: &'a Server,
    name: &'static str,
}

impl Schema<'_> {
    fn sql(&self, text: &str) -> String {
        self.server.sql(&text.replace("$schema", self.name))
    }

    fn address(&self) -> Address {
        Address::parse(&self.server.address(self.name)).unwrap()
    }
}

impl Tables for Schema<'_> {
    fn open(&self) -> Result<AnyJournal, StoreError> {
        Ok(Box::new(PostgresJournal::open(&self.address(), WAIT)?))
    }

    fn open_read_only(&self) -> Result<AnyJournal, StoreError> {
        Ok(Box::new(PostgresJournal::open_read_only(&self.address(), WAIT)?))
    }

    fn fail_writes(&self, table: Option<&str>) {
        // Ends with its triggers.
        self.sql("DROP FUNCTION IF EXISTS $schema.refuse CASCADE");
        let Some(table) = table else { return };
        self.sql(&format!(
            "CREATE FUNCTION $schema.refuse() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION ''injected''; END';
            CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON $schema.{table} EXECUTE FUNCTION $schema.refuse()"
        ));
    }

    fn cut(&self) -> bool {
        self.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'recovery'");
        true
    }

    fn version(&self) -> i64 {
        self.sql("SELECT version FROM $schema.format").parse().unwrap()
    }

    fn state_version(&self, version: i64) {
        self.sql(&format!("UPDATE $schema.format SET version = {version}"));
    }

    fn downgrade(&self) -> bool {
        if self.version() == 1 {
            return false;
        }
        self.sql(
            "DROP INDEX $schema.tasks_list_last_at_task_idx; DROP INDEX $schema.tasks_due_at_task_idx;
            ALTER TABLE $schema.tasks DROP COLUMN list, DROP COLUMN due_at,
                ADD COLUMN is_open BOOLEAN NOT NULL DEFAULT TRUE;
            CREATE INDEX ON $schema.tasks (last_at DESC, task);
            CREATE INDEX ON $schema.tasks (last_at DESC, task) WHERE is_open;
            UPDATE $schema.format SET version = 1",
        );
        true
    }
}

fn is_made_once(server: &Server) {
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| open(server, "made_once").append(&task("a"), note("1")).unwrap());
        }
    });
    assert_eq!(open(server, "made_once").records(&task("a"), 1).unwrap().len(), 6);
    // A newer program's tables are not touched.
    server.sql("UPDATE made_once.format SET version = 99");
    let error = PostgresJournal::open(&Address::parse(&server.address("made_once")).unwrap(), WAIT).err().unwrap();
    assert!(matches!(error, StoreError::NewerFile { found: 99, .. }), "{error}");
}

/// The rights that docs/fleet.md names are enough.
fn documented_rights(server: &Server) {
    drop(open(server, "team"));
    server.sql(
        "CREATE ROLE agent LOGIN; GRANT USAGE ON SCHEMA team TO agent; GRANT SELECT ON ALL TABLES IN SCHEMA team TO agent;
        GRANT INSERT ON team.records, team.snapshots, team.tasks, team.resources TO agent;
        GRANT UPDATE ON team.snapshots, team.tasks, team.resources TO agent;",
    );
    let store = Store::parse(&server.address_of("agent", "team")).unwrap();
    let mut journal = store.open(WAIT).unwrap().journal;
    journal
        .transact(&task("a"), |chain| {
            chain.append(note("1"))?;
            chain.put_snapshot("v1", b"1")
        })
        .unwrap();
    assert!(store.verify(WAIT).unwrap().unwrap().is_sound());
    let other = Store::parse(&server.address_of("agent", "forbidden")).unwrap();
    assert!(other.open_existing(WAIT).unwrap().journal.is_none());
    let error = other.open(WAIT).err().unwrap();
    assert!(matches!(error, StoreError::Refused { .. }) && !error.is_retryable(), "{error}");
}

fn tampering(server: &Server) {
    let mut journal = open(server, "tampered");
    for name in ["a", "a", "b", "b", "c"] {
        journal.append(&task(name), note("1")).unwrap();
    }
    assert!(journal.verify().unwrap().is_sound());
    server.sql("UPDATE tampered.records SET body = '2' WHERE task = 'a' AND seq = 1");
    server.sql("DELETE FROM tampered.records WHERE task = 'b' AND seq = 2");
    server.sql("UPDATE tampered.tasks SET records = 7 WHERE task = 'c'");
    let faults = journal.verify().unwrap().faults;
    let kinds: Vec<_> = faults.iter().map(|fault| (fault.task.as_ref().unwrap().as_str(), &fault.kind)).collect();
    assert_eq!(kinds[0], ("a", &FaultKind::WrongHash));
    assert_eq!(kinds[1..], [("b", &FaultKind::WrongList), ("c", &FaultKind::WrongList)]);
}

/// A server that goes back to an older state is sound by itself: only who recorded what is missing can know.
fn lost_by_the_server(server: &Server) {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = |dir: &tempfile::TempDir| {
        let spool = Spool::new(dir.path().join(".recovery"), |_| {});
        Store::parse(&server.address("lost")).unwrap().with_spool(spool)
    };
    let append =
        |dir, name: &str, body| store(dir).open(WAIT).unwrap().journal.append(&task(name), note(body)).unwrap();
    append(&dir, "a", "1");
    append(&other, "b", "1");
    server.sql("CREATE SCHEMA backup");
    for table in ["records", "tasks"] {
        server.sql(&format!("CREATE TABLE backup.{table} AS TABLE lost.{table}"));
    }
    append(&dir, "a", "2");
    append(&dir, "c", "1");
    assert!(store(&dir).verify(WAIT).unwrap().unwrap().is_sound());
    server.sql(
        "DELETE FROM lost.records WHERE id NOT IN (SELECT id FROM backup.records);
        TRUNCATE lost.tasks; INSERT INTO lost.tasks SELECT * FROM backup.tasks",
    );
    let faults = |dir| -> Vec<_> {
        let found = store(dir).verify(WAIT).unwrap().unwrap();
        found
            .faults
            .into_iter()
            .map(|fault| (fault.task.unwrap().to_string(), fault.seq.unwrap(), fault.kind))
            .collect()
    };
    let (a, c) = (("a".to_owned(), 2, FaultKind::Lost { found: 1 }), ("c".to_owned(), 1, FaultKind::Lost { found: 0 }));
    assert_eq!(faults(&dir), [a, c.clone()]);
    assert!(faults(&other).is_empty(), "what it recorded is there");
    // The task goes on from the older state, and its second record is another one.
    append(&other, "a", "3");
    assert_eq!(faults(&dir), [c, ("a".to_owned(), 2, FaultKind::Replaced)]);
    assert_eq!(store(&dir).verify(WAIT).unwrap().unwrap().records, 3);
    server.sql("DROP SCHEMA lost CASCADE; DROP SCHEMA backup CASCADE");
    assert_eq!(faults(&dir).len(), 2, "a journal that is gone is no journal that never was");
}

fn errors(server: &Server) {
    let open =
        |address: &str| PostgresJournal::open(&Address::parse(address).unwrap(), Duration::from_secs(2)).err().unwrap();
    let port = server.port();
    let error = open(&format!("postgres://admin:hunter2@127.0.0.1:{port}/nowhere?sslmode=disable"));
    assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    assert!(error.to_string().contains("nowhere") && !format!("{error} {error:?}").contains("hunter2"), "{error}");
    let error = open(&format!("postgres://admin:hunter2@127.0.0.1:{port}/postgres?sslmode=require"));
    assert!(error.to_string().contains("TLS") && !error.to_string().contains("hunter2"), "{error}");
    assert!(!error.is_retryable(), "{error}");
    // Nobody listens, and somebody who never answers.
    let error = open("postgres://admin:hunter2@127.0.0.1:1/postgres");
    assert!(error.is_retryable() && !error.to_string().contains("hunter2"), "{error}");
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let began = Instant::now();
    let error = open(&format!("postgres://admin@{}/postgres", silent.local_addr().unwrap()));
    assert!(error.is_retryable() && began.elapsed() < Duration::from_secs(4), "{error}");
    // A writer that holds its task for too long.
    let mut first = self::open(server, "busy");
    first
        .transact(&task("a"), |chain| {
            let address = Address::parse(&server.address("busy")).unwrap();
            let mut second = PostgresJournal::open(&address, Duration::from_millis(200)).unwrap();
            let error = second.append(&task("a"), note("2")).unwrap_err();
            assert!(matches!(error, StoreError::Busy { .. }) && error.is_retryable(), "{error}");
            // The handle is still good, and another task is nobody's.
            second.append(&task("b"), note("1")).unwrap();
            chain.append(note("1"))
        })
        .unwrap();
}

/// The last one: from here on the server has TLS and asks for passwords.
fn tls(server: &Server) {
    server.secure();
    server.sql("CREATE ROLE guest LOGIN PASSWORD 'hunter2'; GRANT CREATE ON DATABASE postgres TO guest");
    let open = |user: &str, host: &str, settings: &str| {
        let address = format!("postgres://{user}@{host}:{}/postgres?schema=guest&{settings}", server.port());
        PostgresJournal::open(&Address::parse(&address).unwrap(), WAIT).map(drop)
    };
    let own = format!("sslrootcert={}/tests/fixtures/loopback.crt", env!("CARGO_MANIFEST_DIR"));
    // The default takes the certificate that most servers have, which no authority has signed.
    open("guest", "localhost", "").unwrap();
    open("guest", "localhost", &format!("sslmode=verify-full&{own}")).unwrap();
    for (host, settings) in [
        ("localhost", "sslmode=require".to_owned()),
        // Its name is not that of the certificate.
        ("127.0.0.1", format!("sslmode=require&{own}")),
        ("127.0.0.1", own.clone()),
    ] {
        let error = open("guest", host, &settings).unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }) && !error.is_retryable(), "{settings}: {error}");
        assert!(error.to_string().contains("certificate"), "{error}");
    }
    server.ask_for_passwords();
    open("guest:hunter2", "localhost", "").unwrap();
    for user in ["guest", "guest:hunter3"] {
        let error = open(user, "localhost", "").unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }) && !error.is_retryable(), "{user}: {error}");
        assert!(error.to_string().contains("password") && !error.to_string().contains("hunter3"), "{error}");
    }
}

fn crash(server: &Server) {
    let mut journal = open(server, "crashed");
    let stored = journal.append(&task("a"), note("1")).unwrap().record;
    let error = journal
        .transact(&task("a"), |chain| {
            chain.append(note("2"))?;
            server.crash();
            Ok::<_, StoreError>(())
        })
        .unwrap_err();
    assert!(error.is_retryable(), "{error}");
    let address = Address::parse(&server.address("crashed")).unwrap();
    assert!(PostgresJournal::open(&address, WAIT).err().unwrap().is_retryable());
    server.resume();
    assert_eq!(open(server, "crashed").records(&task("a"), 1).unwrap(), [stored]);
}

/// Writers whose connection is delayed, cut and refused at random moments, and whose server crashes: everything that was
/// acknowledged is on the server in the end, once and in order.
fn outages(server: &Server) {
    const STEPS: u64 = 100;
    let wait = Duration::from_millis(400);
    let (proxy, dir) = (Proxy::start(server.port()), tempfile::tempdir().unwrap());
    open(server, "outages");
    let address = format!("postgres://admin@127.0.0.1:{}/postgres?schema=outages&sslmode=disable", proxy.port);
    let spool = Spool { retry_after: Duration::ZERO, ..Spool::new(dir.path().to_owned(), |_| {}) };
    let store = Store::parse(&address).unwrap().with_spool(spool);
    let mut random = Random(0x5eed_1234_5678_9abc);
    let (mut written, mut spooled, mut longest) = (BTreeMap::<TaskId, Vec<String>>::new(), 0, Duration::ZERO);
    for step in 0..STEPS {
        proxy.set(match random.below(6) {
            0 | 1 => Mode::Pass,
            2 => Mode::Delay(random.below(200)),
            3 | 4 => Mode::CutAfter(random.below(1_500)),
            _ => Mode::Refuse,
        });
        match step {
            40 => server.crash(),
            50 => server.resume(),
            _ => {}
        }
        let (task, began) = (task(&format!("t{}", random.below(3))), Instant::now());
        let mut journal = store.open(wait).unwrap().journal;
        journal.append(&task, note(&step.to_string())).unwrap();
        longest = longest.max(began.elapsed());
        drop(journal);
        written.entry(task).or_default().push(step.to_string());
        spooled += u64::from(!store.is_spool_empty(wait).unwrap());
    }
    proxy.set(Mode::Pass);
    store.push(WAIT).unwrap();
    assert!(store.is_spool_empty(wait).unwrap());
    assert!(spooled > STEPS / 10, "{spooled}");
    // Half the time to connect, half for the step; the rest is this machine's.
    assert!(longest < wait * 4, "{longest:?}");
    let journal = open(server, "outages");
    for (task, bodies) in &written {
        let stored: Vec<_> = journal.records(task, 1).unwrap().into_iter().map(|record| record.body).collect();
        assert_eq!(&stored, bodies, "{task}");
    }
    assert!(journal.verify().unwrap().is_sound());
    assert_eq!(store.push(WAIT).unwrap(), Some(Shipped::default()), "a second push has nothing to do");
}

/// What a [`Proxy`] does to a connection.
#[derive(Clone, Copy)]
enum Mode {
    Pass,
    /// Each part of the conversation takes so many ms more.
    Delay(u64),
    /// The server's answers end after so many bytes.
    CutAfter(u64),
    Refuse,
}

/// Stands between a client and the server.
struct Proxy {
    port: u16,
    mode: Arc<Mutex<Mode>>,
}

impl Proxy {
    fn start(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, mode) = (listener.local_addr().unwrap().port(), Arc::new(Mutex::new(Mode::Pass)));
        let shared = Arc::clone(&mode);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let mode = *shared.lock().unwrap();
                if let (false, Ok(upstream)) = (matches!(mode, Mode::Refuse), TcpStream::connect(("127.0.0.1", server)))
                {
                    let (from, to) = (client.try_clone().unwrap(), upstream.try_clone().unwrap());
                    std::thread::spawn(move || pass(from, to, Mode::Pass));
                    std::thread::spawn(move || pass(upstream, client, mode));
                }
            }
        });
        Self { port, mode }
    }

    fn set(&self, mode: Mode) {
        *self.mode.lock().unwrap() = mode;
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, mode: Mode) {
    let (mut part, mut left) = ([0; 4096], if let Mode::CutAfter(bytes) = mode { bytes } else { u64::MAX });
    while let Ok(read @ 1..) = from.read(&mut part) {
        if let Mode::Delay(ms) = mode {
            std::thread::sleep(Duration::from_millis(ms));
        }
        let allowed = read.min(usize::try_from(left).unwrap_or(usize::MAX));
        left -= allowed as u64;
        if to.write_all(&part[..allowed]).is_err() || allowed < read {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// Eight writers in four directories, killed at random moments.
fn kills(server: &Server) {
    const WRITERS: u64 = 8;
    let runs = std::env::var("RECOVERY_CRASH_RUNS").map_or(3, |runs| runs.parse().expect("a number of runs"));
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(std::process::id()));
    let mut acknowledged: BTreeMap<(String, u64), String> = BTreeMap::new();
    let machines: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    for run in 0..runs {
        let address = server.address("killed");
        let spawn = |writer: u64| spawn(&address, machines[writer as usize % 4].path(), run, writer);
        let writers: Vec<Child> = (0..WRITERS).map(spawn).collect();
        let deaths: Vec<_> = writers
            .into_iter()
            .map(|mut writer| {
                let life = Duration::from_micros(100_000 + random.below(600_000));
                std::thread::spawn(move || {
                    std::thread::sleep(life);
                    writer.kill().unwrap();
                    let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
                    let said = lines.map_while(Result::ok).collect::<Vec<_>>();
                    (said, writer.wait().unwrap())
                })
            })
            .collect();
        for death in deaths {
            let (said, status) = death.join().unwrap();
            assert_eq!(status.code(), None, "run {run}: a writer ended by itself: {said:?}");
            for line in said.iter().filter_map(|line| line.strip_prefix("stored ")) {
                // The last line may be torn; whole ones have three parts and a full hash.
                if let [task, seq, hash] = line.split(' ').collect::<Vec<_>>()[..]
                    && hash.len() == 64
                {
                    acknowledged.insert((task.to_owned(), seq.parse().unwrap()), hash.to_owned());
                }
            }
        }
        let journal = open(server, "killed");
        let found = journal.verify().unwrap();
        assert!(found.is_sound(), "run {run}: {found:?}");
        let mut stored: BTreeMap<(String, u64), String> = BTreeMap::new();
        for record in journal.all().unwrap() {
            stored.insert((record.task.to_string(), record.seq), record.hash.to_string());
        }
        for (place, hash) in &acknowledged {
            assert_eq!(stored.get(place), Some(hash), "run {run}: {place:?} was acknowledged");
        }
    }
    assert!(acknowledged.len() as u64 > runs, "the writers hardly wrote");
    println!("postgres: {} kills, {} records acknowledged, none lost", runs * WRITERS, acknowledged.len());
}

fn spawn(address: &str, dir: &Path, run: u64, writer: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .current_dir(dir)
        .env("RECOVERY_CRASH_STORE", address)
        .env("RECOVERY_CRASH_WRITER", format!("{run}.{writer}"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The process that is killed.
fn write_until_killed(address: &str) -> ! {
    let name = std::env::var("RECOVERY_CRASH_WRITER").expect("set by the test that runs this");
    let address = Address::parse(address).unwrap();
    let mut out = std::io::stdout();
    for n in 0_u64.. {
        let mut journal = PostgresJournal::open(&address, Duration::from_secs(60)).unwrap();
        for k in 0..3 {
            // Own tasks and shared ones, so that processes meet on the same chain.
            let task = if k == 0 { format!("own-{}", name.replace('.', "-")) } else { format!("shared-{}", n % 3) };
            let record = journal
                .transact(&self::task(&task), |chain| {
                    let content_id = Some(ContentId::new(format!("{name}.{n}.{k}"))?);
                    let record = chain.append(NewRecord { content_id, ..note("1") })?.record;
                    chain.put_snapshot("count", &record.seq.to_be_bytes())?;
                    Ok::<_, StoreError>(record)
                })
                .unwrap();
            // One write, so that it is read whole or not at all.
            out.write_all(format!("stored {} {} {}\n", record.task, record.seq, record.hash).as_bytes()).unwrap();
            out.flush().unwrap();
        }
    }
    unreachable!("the numbers do not end")
}

fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

fn note(body: &str) -> NewRecord {
    NewRecord { at: Timestamp::from_ms(1), kind: RecordKind::Note, content_id: None, body: body.to_owned() }
}

/// A small generator: the moments need no more.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
