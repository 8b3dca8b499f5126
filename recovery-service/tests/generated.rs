//! Healthy and stuck sessions from generators that know what every command would have come to.
//!
//! Each test has a small model of a project: what is checked depends on things (a file, a package, a service, a variable,
//! another machine), and things change in many ways. Whoever asks for the outcome of a check again after one of its things
//! has changed is right to do so, however often it failed before: one denial fails the test. `sessions.rs` replays fixed
//! stretches of work; here the order of everything is random. A failure prints the seed.

#[allow(dead_code, reason = "each test uses a part of it")]
mod world;

use recovery_agents::Agent;
use serde_json::json;
use std::fmt::Write as _;
use world::{Agents, Rng, Session, Step};

/// Ways in which the world changes without any help from the hook's own tables.
const CHANNELS: u64 = 32;
/// The one where nothing but time passes.
const WAITED: u64 = 18;

/// Changes something, in one of many ways. `n` makes names.
fn change(session: &mut Session, rng: &mut Rng, n: u64) -> u64 {
    let ok = |session: &mut Session, command: &str| session.pass(command, "done");
    let channel = rng.below(CHANNELS);
    match channel {
        0 => ok(session, "sed -Ei 's/a/b/' src/a.rs"),
        1 => ok(session, "python3 scripts/fix_imports.py src"),
        2 => ok(session, "cargo fmt"),
        3 => ok(session, "git checkout -- src/a.rs"),
        4 => ok(session, "git stash"),
        5 => ok(session, "protoc --python_out=. api.proto"),
        6 => ok(session, "cat > src/b.py <<'E'\nx = 1\nE"),
        7 => {
            session.sub_agent = Some("worker-1");
            let worked = session.pass_tool("Edit", "/p/src/a.rs", "The file has been updated.");
            session.sub_agent = None;
            worked
        }
        // A person's editor: no tool call at all.
        8..=11 => {
            session.edit_by_hand(&format!("src/file{}.rs", n % 7));
            true
        }
        12 => ok(session, "npm install --save-dev left-pad"),
        13 => ok(session, ".venv/bin/pip install requests"),
        14 => ok(session, "export DATABASE_URL=postgres://localhost/app"),
        15 => ok(session, "source .venv/bin/activate"),
        16 => session.run(Step::Background("docker compose up db")),
        17 => ok(session, "sleep 20"),
        WAITED => {
            session.wait_ms(11 * 60_000);
            true
        }
        19 => {
            session.prompt();
            true
        }
        20 => session.run(Step::Tool("AskUserQuestion", json!({"questions": []}), true, "yes")),
        21 => session.run(Step::Tool("mcp__db__query", json!({"sql": "update t set a = 1"}), true, "1 row")),
        22 => session.run(Step::Tool("mcp__editor__find_and_replace", json!({"find": "a"}), true, "ok")),
        23 => ok(session, "curl -sSLo bin/tool https://example.com/tool"),
        24 => ok(session, "curl -XPOST localhost:3000/seed"),
        // It fails, and has started one of two services first.
        25 => session.fail(
            &format!("docker compose up -d web{n} db"),
            1,
            &format!("Container db Started\nError response from daemon: web{n}: port is already allocated"),
        ),
        26 => session.run(Step::Tool("BashOutput", json!({"bash_id": "b1"}), true, "compiled successfully")),
        27 => ok(session, "recovery run -- npm ci"),
        28 => {
            session.start();
            true
        }
        29 => ok(session, "gh run rerun 17"),
        30 => ok(session, "kubectl apply -f deploy.yaml"),
        _ => ok(session, "make clean"),
    };
    channel
}

/// What looks and changes nothing.
fn look(session: &mut Session, rng: &mut Rng) {
    match rng.below(7) {
        0 => session.pass("git status --short", " M src/a.rs"),
        1 => session.pass("rg -n login src | head -20", "src/login.ts:3: FAILED"),
        2 => session.pass_tool("Read", "/p/src/a.rs", "error: could not compile"),
        3 => session.fail("grep -rn needle src", 1, ""),
        4 => session.fail("diff a.txt b.txt", 1, "1c1\n< a\n---\n> b"),
        5 => session.fail_tool("Read", &format!("/p/src/missing{}.rs", rng.below(50)), "File does not exist."),
        _ => session.pass("sed -n 1,40p src/a.rs", "fn main() {}"),
    };
}

/// A check of the project, and what it prints while things are broken.
fn check(kind: u64, n: u64) -> (String, i64, String) {
    match kind {
        0 => (
            format!("cargo test -p crate{n}"),
            101,
            format!("---- parse::works{n} stdout ----\nthread 'parse::works{n}' panicked at src/parse.rs:{n}:5:\nassertion `left == right` failed\ntest result: FAILED. 3 passed; 1 failed"),
        ),
        1 => (
            format!("npx jest src/part{n}.test.ts"),
            1,
            format!("FAIL src/part{n}.test.ts\n  ● adds\n    expect(received).toBe(expected)\nTests: 1 failed, 4 passed"),
        ),
        2 => (
            format!("python3 -m pytest tests/test_{n}.py -x"),
            1,
            format!("FAILED tests/test_{n}.py::test_a - AssertionError: assert 1 == 2\n1 failed, 3 passed in 0.12s"),
        ),
        3 => (format!("go test ./pkg{n}/..."), 1, format!("--- FAIL: TestA{n} (0.00s)\n    a_test.go:9: got 1\nFAIL")),
        4 => (format!("tsc -p packages/{n}"), 2, format!("src/a{n}.ts(3,7): error TS2322: Type 'string' is not assignable.")),
        5 => (format!("./scripts/check-{n}.sh"), 3, "schema version mismatch: found 3, need 4".to_owned()),
        6 => (
            format!("python3 tools/seed{n}.py"),
            1,
            "Traceback (most recent call last):\n  File \"seed.py\", line 3\npsycopg2.OperationalError: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused".to_owned(),
        ),
        7 => (format!("make part{n}"), 2, format!("make: *** [Makefile:12: part{n}] Error 1")),
        8 => (format!("terraform apply -target=m{n}"), 1, "Error: creating instance: InvalidParameterValue".to_owned()),
        _ => (format!("bin/rails test test/m{n}_test.rb"), 1, format!("Failure:\nM{n}Test#test_a [test/m{n}_test.rb:7]\n1 runs, 1 failures")),
    }
}

fn report_of(seed: u64, session: &Session) -> String {
    session.denials.iter().fold(String::new(), |mut report, denial| {
        let _ = writeln!(report, "seed {seed} {}: {denial}", session.agent);
        report
    })
}

/// Several checks are broken at once; each is run up to three times in a row, and then something changes.
#[test]
fn whoever_changes_something_first_is_never_held_back() {
    let (mut calls, mut report) = (0, String::new());
    for seed in 0..60 {
        let mut rng = Rng::new(40_000 + seed);
        let mut session = Session::new(Agents::ALL[seed as usize % Agents::ALL.len()]);
        let (mut patience, mut changes) = ([0_u32; 3], Vec::new());
        let checks: Vec<_> = (0..3).map(|at| check(rng.below(10), 10 * seed + at)).collect();
        for step in 0..55 {
            let at = rng.below(3) as usize;
            if patience[at] == 3 {
                changes.push(change(&mut session, &mut rng, 100 * seed + step));
                // Time alone allows one run, as a circuit breaker does; whatever else changed, three.
                let waited = changes.last() == Some(&WAITED);
                patience = if waited { patience.map(|runs| runs.min(2)) } else { [0; 3] };
            }
            let (command, code, output) = &checks[at];
            if rng.below(9) == 0 {
                session.pass(command, "ok");
                patience[at] = 0;
            } else {
                if !session.fail(command, *code, output) {
                    let _ = writeln!(report, "after changes {changes:?}");
                }
                patience[at] += 1;
            }
            if rng.below(2) == 0 {
                look(&mut session, &mut rng);
            }
        }
        calls += session.calls;
        report += &report_of(seed, &session);
    }
    assert!(calls >= 4_000, "only {calls} calls");
    assert!(report.is_empty(), "{report}");
}

/// What goes on elsewhere is asked for until it is there, however long that takes and whatever it says.
#[test]
fn whoever_waits_for_something_is_never_held_back() {
    let (mut calls, mut report) = (0, String::new());
    for seed in 0..60 {
        let mut rng = Rng::new(50_000 + seed);
        let mut session = Session::new(Agents::ALL[seed as usize % Agents::ALL.len()]);
        for _ in 0..6 {
            let n = rng.below(1_000);
            let (command, code, output): (String, i64, String) = match rng.below(14) {
                0 => (
                    format!("curl -sf http://localhost:{n}/health"),
                    22,
                    "curl: (22) The requested URL returned error: 404".into(),
                ),
                1 => ("pg_isready -h db".into(), 2, "db:5432 - no response".into()),
                2 => (format!("sleep 10 && ./check-deploy.sh {n}"), 1, "still deploying".into()),
                3 => (
                    format!("node -e \"require('http').get('http://127.0.0.1:{n}')\""),
                    1,
                    format!("Error: connect ECONNREFUSED 127.0.0.1:{n}\n    at TCPConnectWrap.afterConnect"),
                ),
                4 => (format!("gh pr checks {n}"), 8, "build\tpending\t0\thttps://example.com".into()),
                5 => (
                    format!("aws cloudformation describe-stacks --stack-name s{n}"),
                    254,
                    "An error occurred (ValidationError): Stack does not exist".into(),
                ),
                6 => (
                    "sudo apt-get install -y jq".into(),
                    100,
                    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt-get)".into(),
                ),
                7 => (format!("git pull --ff-only && make part{n}"), 2, "make: *** [Makefile:3: part] Error 1".into()),
                8 => {
                    (format!("until curl -sf http://localhost:{n}; do sleep 1; done"), 124, "Command timed out".into())
                }
                9 => (
                    "redis-cli -h cache ping".into(),
                    1,
                    "Could not connect to Redis at cache:6379: Connection refused".into(),
                ),
                10 => (
                    format!("kubectl rollout status deploy/web{n}"),
                    1,
                    "error: deployment exceeded its progress deadline".into(),
                ),
                11 => (format!("npm run e2e -- --grep s{n}"), 1, format!("Error: connect ECONNREFUSED ::1:{n}")),
                12 => (
                    format!("docker inspect --format {{{{.State.Health.Status}}}} c{n}"),
                    1,
                    "Error: No such object".into(),
                ),
                _ => (
                    format!("psql -h db -c 'select {n}'"),
                    2,
                    "psql: error: connection to server at \"db\" (172.18.0.2), port 5432 failed: Connection refused"
                        .into(),
                ),
            };
            for _ in 0..5 + rng.below(9) {
                session.fail(&command, code, &output);
                session.wait_ms(500);
                if rng.below(4) == 0 {
                    look(&mut session, &mut rng);
                }
            }
            session.pass(&command, "ok");
        }
        calls += session.calls;
        report += &report_of(seed, &session);
    }
    assert!(calls >= 2_500, "only {calls} calls");
    assert!(report.is_empty(), "{report}");
}

/// Long edit-and-test loops over several sessions of one project, with sub-agents, other directories and edits that miss.
#[test]
fn a_day_of_work_in_one_project_is_never_in_the_way() {
    let (mut calls, mut report) = (0, String::new());
    for seed in 0..20 {
        let mut rng = Rng::new(60_000 + seed);
        let mut session = Session::new(Agents::ALL[seed as usize % Agents::ALL.len()]);
        for (name, part) in [("s-1", "api"), ("s-2", "web"), ("s-3", "api"), ("s-4", ".")] {
            let dir = session.dir.path().join(part);
            std::fs::create_dir_all(&dir).unwrap();
            session.session = name;
            session.cwd = Some(dir);
            session.start();
            session.prompt();
            for round in 0..6 {
                // The same test fails in one of four ways, edits in between, sometimes twice without one.
                for run in 0..3 + rng.below(5) {
                    let (command, code, output) = check(rng.below(4), 7);
                    session.fail(&command, code, &format!("{output}\nvariant {}", (round + run) % 4));
                    session.fail_tool("Edit", "/p/src/a.rs", "String to replace not found in file.");
                    session.pass_tool("Read", "/p/src/a.rs", "fn a() { panic!() }");
                    change(&mut session, &mut rng, seed * 100 + run);
                    session.pass_tool("Edit", "/p/src/a.rs", "The file has been updated.");
                }
                session.pass("npm run build", "built in 3 s\n0 errors");
                session.pass("cat build.log", "error: could not compile\nFAILED\nExit Code: 1");
                session.pass("npm test 2>&1 | tail -5", "Tests: 12 passed, 12 total");
            }
            session.stop();
        }
        calls += session.calls;
        report += &report_of(seed, &session);
    }
    assert!(calls >= 5_000, "only {calls} calls");
    assert!(report.is_empty(), "{report}");
}

/// Loops of one to three commands, with looks in between: each command runs at most four times.
#[test]
fn every_kind_of_loop_is_stopped_by_its_fourth_repetition() {
    let mut report = String::new();
    for seed in 0..200 {
        let mut rng = Rng::new(70_000 + seed);
        let mut session = Session::new(Agents::ALL[seed as usize % Agents::ALL.len()]);
        // What only waits (5, 6) may be repeated; a failure that nobody knows is a loop all the same.
        let kinds: Vec<u64> =
            (0..1 + seed % 3).map(|at| [0, 1, 2, 3, 4, 5, 7, 8, 9][((seed + 3 * at) % 9) as usize]).collect();
        let mut runs = vec![0; kinds.len()];
        for _ in 0..9 {
            for (at, kind) in kinds.iter().enumerate() {
                let (command, code, output) = check(*kind, at as u64);
                // A time and a number that differ from run to run are no progress.
                let output = format!("{output}\nDuration {}.{}s", rng.below(60), rng.below(1_000));
                runs[at] += u32::from(session.fail(&command, code, &output));
                if rng.below(3) == 0 {
                    session.pass("git diff --stat", " src/a.rs | 2 +-");
                }
            }
        }
        if runs.iter().any(|runs| *runs > 4) {
            let _ = writeln!(report, "seed {seed} {}: {kinds:?} ran {runs:?} times", session.agent);
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// The same thing in other clothes is never refused, and is one task whose advice climbs.
#[test]
fn a_loop_in_other_clothes_is_one_task_and_advised_about() {
    for agent in Agents::ALL {
        let mut session = Session::new(agent);
        let clothes = [
            "npm test", "npm test # again", "npm test 2>&1", "cd . && npm test", "CI=1 npm test",
            "timeout 60 npm test", "npm  test", "timeout 300 npm test", "npm test # third try", "time npm test",
        ];
        for command in clothes {
            session.fail(command, 1, "FAIL src/login.test.ts: expected 3, received 4\nTests: 1 failed");
        }
        assert_eq!(session.denials, Vec::<String>::new(), "{agent}");
        let store = recovery_store::Store::Directory(session.dir.path().join(".recovery"));
        let ledger = recovery_service::Ledger::open_existing(&store, std::time::Duration::ZERO).unwrap().unwrap();
        let tasks = ledger.recent(50).unwrap();
        assert_eq!(tasks.len(), 1, "{agent}: {:?}", tasks.iter().map(|(task, _)| task).collect::<Vec<_>>());
        let level = tasks[0].1.climb().map(|climb| climb.level);
        assert!(level > Some(recovery_types::Level::Nudge), "{agent}: {level:?}");
    }
}

/// A journal that projects and machines share does not mix up their calls.
#[test]
fn the_same_call_in_another_project_is_not_held_back() {
    let store = tempfile::tempdir().unwrap();
    let mut denied = 0;
    for _ in 0..5 {
        let mut session = Session::new(Agent::ClaudeCode);
        session.store = Some(store.path().join("shared.db"));
        for _ in 0..3 {
            session.fail("npm test", 1, "FAIL src/login.test.ts: expected 3, received 4\nTests: 1 failed");
        }
        denied += session.denials.len();
        session.edit_by_hand("src/a.ts");
        session.fail("npm test", 1, "FAIL src/login.test.ts: expected 3, received 4\nTests: 1 failed");
        session.pass("sed -i s/a/b/ src/a.ts", "");
        session.fail("npm test", 1, "FAIL src/login.test.ts: expected 3, received 4\nTests: 1 failed");
        denied += session.denials.len();
    }
    assert_eq!(denied, 0);
}

#[test]
fn a_clock_that_was_set_back_holds_nothing_back() {
    let mut session = Session::new(Agent::ClaudeCode);
    let fail = |session: &mut Session| session.fail("make", 2, "a.c:1:1: error: expected expression");
    let ran: Vec<bool> = (0..4).map(|_| fail(&mut session)).collect();
    assert_eq!(ran, [true, true, true, false]);
    session.wait_ms(-24 * 3_600_000);
    assert!(fail(&mut session));
}
