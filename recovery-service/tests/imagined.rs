//! Sessions as developers know them, written down one situation after the other: monorepos, flaky tests, servers, clusters,
//! sub-agents, two sessions side by side, people who answer. `generated.rs` mixes changes at random; here each situation is
//! told as it happens, and the same command may fail often for a good reason. One denial fails the test.

#[allow(dead_code, reason = "each test uses a part of it")]
mod world;

use recovery_agents::Agent;
use serde_json::json;
use std::fmt::Write as _;
use world::{Agents, Rng, Session, Step};

/// Calls that are repeated while what they wait for is not there yet: command, exit code, output.
const POLLS: &[(&str, i64, &str)] = &[
    (
        "docker compose exec -T db psql -U app -c 'select 1'",
        2,
        "psql: error: FATAL:  the database system is starting up",
    ),
    ("kubectl get pod web-0 -o jsonpath={.status.phase}", 1, "Error from server (NotFound): pods \"web-0\" not found"),
    (
        "kubectl logs web-0",
        1,
        "Error from server (BadRequest): container \"web\" in pod \"web-0\" is waiting to start: ContainerCreating",
    ),
    ("gh run watch 812 --exit-status", 1, "X main CI · 812\nRun CI (812) has not yet completed"),
    ("gh run download 812", 1, "no valid artifacts found to download"),
    (
        "ssh ubuntu@ec2-3-8-1-9.compute.amazonaws.com true",
        255,
        "ssh: connect to host ec2-3-8-1-9.compute.amazonaws.com port 22: Connection refused",
    ),
    ("ssh box 'cloud-init status --wait'", 1, "status: running"),
    (
        "terraform apply -auto-approve",
        1,
        "Error: Error acquiring the state lock\n\nLock Info:\n  ID: 8d1\n  Who: ci@runner",
    ),
    ("./scripts/ci-status.sh 55", 1, "pending"),
    ("python3 tools/poll_job.py 8", 1, "job 8: queued"),
    ("python3 tools/check_job.py 8", 1, "job 8: RUNNING"),
    ("make wait-db", 2, "make: *** [Makefile:3: wait-db] Error 1"),
    ("bin/cli jobs status 17", 1, "job 17: RUNNING (34 %)"),
    ("node scripts/check-deploy.js", 1, "deployment is in progress"),
    ("npx wait-on http://localhost:5173 -t 1000", 1, "Error: Timed out waiting for: http://localhost:5173"),
    (
        "node scripts/smoke.js",
        1,
        "Error: connect ECONNREFUSED 127.0.0.1:4010\n    at TCPConnectWrap.afterConnect [as oncomplete]",
    ),
    (
        "python3 manage.py migrate",
        1,
        "django.db.utils.OperationalError: could not connect to server: Connection refused\n\tIs the server running on host \"db\" and accepting TCP/IP connections on port 5432?",
    ),
    ("aws ecs describe-services --cluster c --services s", 255, "An error occurred (ClusterNotFoundException)"),
    ("systemctl is-active app", 3, "activating"),
    ("kill -0 4711", 1, "bash: kill: (4711) - No such process"),
    ("fuser 3000/tcp", 1, ""),
    ("lsof -i :3000", 1, ""),
    ("pg_isready -h localhost -p 5433", 2, "localhost:5433 - no response"),
    ("docker image inspect app:dev", 1, "[]\nError: No such image: app:dev"),
    ("redis-cli -p 6380 ping", 1, "Could not connect to Redis at 127.0.0.1:6380: Connection refused"),
    ("helm status web -n prod", 1, "Error: release: not found"),
    ("az vm get-instance-view -g g -n vm1", 3, "(ResourceNotFound) The Resource 'vm1' was not found."),
    ("adb wait-for-device", 1, "error: no devices/emulators found"),
    ("rabbitmqctl await_startup", 69, "Error: unable to perform an operation on node rabbit@box"),
    ("celery -A app inspect ping", 69, "Error: No nodes replied within time constraint"),
    ("docker compose up -d --wait", 1, "container app-db-1 is unhealthy"),
    ("multipass info vm", 2, "info failed: instance \"vm\" does not exist"),
];

/// Calls whose exit code is an answer.
const ANSWERS: &[(&str, i64, &str)] = &[
    ("git diff --quiet", 1, ""),
    ("git merge-base --is-ancestor a b", 1, ""),
    ("npm outdated", 1, "Package  Current  Wanted  Latest\nleft-pad  1.0.0  1.3.0  1.3.0"),
    ("terraform plan -detailed-exitcode", 2, "Plan: 1 to add, 0 to change, 0 to destroy."),
    ("dpkg -s jq", 1, "dpkg-query: package 'jq' is not installed and no information is available"),
    ("git config --get user.signingkey", 1, ""),
    ("git show-ref --verify --quiet refs/heads/x", 1, ""),
    ("crontab -l", 1, "no crontab for dev"),
    ("pip show nothing", 1, "WARNING: Package(s) not found: nothing"),
    ("npm ls left-pad", 1, "app@1.0.0 /p\n└── (empty)"),
    ("git ls-files --error-unmatch a.txt", 1, "error: pathspec 'a.txt' did not match any file(s) known to git"),
    ("rg -q TODO src", 1, ""),
    ("git rev-parse --verify feature/x", 128, "fatal: Needed a single revision"),
    ("cat out/report.json", 1, "cat: out/report.json: No such file or directory"),
    ("ls dist/app.js", 2, "ls: cannot access 'dist/app.js': No such file or directory"),
    ("test -f dist/app.js", 1, ""),
    ("diff -q a b", 1, "Files a and b differ"),
];

/// Failures of the code, which a loop repeats: command, exit code, output.
const BROKEN: &[(&str, i64, &str)] = &[
    (
        "cargo test -p api",
        101,
        "error[E0425]: cannot find value `x` in this scope\n --> src/lib.rs:7:5\nerror: could not compile `api`",
    ),
    (
        "pnpm --filter web test",
        1,
        "FAIL src/cart.test.ts > cart > adds\nAssertionError: expected 3 to be 4\nTests  1 failed | 8 passed",
    ),
    (
        "uv run pytest -x",
        1,
        "tests/test_cart.py:9: AssertionError\nFAILED tests/test_cart.py::test_add - assert 1 == 2\n1 failed in 0.4s",
    ),
    ("./gradlew :app:compileKotlin", 1, "e: file:///p/App.kt:9:5 Unresolved reference: foo\nBUILD FAILED in 3s"),
    (
        "mvn -q test",
        1,
        "[ERROR] Failures:\n[ERROR]   CartTest.adds:12 expected: <3> but was: <4>\n[ERROR] BUILD FAILURE",
    ),
    (
        "dotnet build",
        1,
        "Program.cs(4,9): error CS0103: The name 'x' does not exist in the current context\nBuild FAILED.",
    ),
    ("swift build", 1, "/p/Sources/main.swift:3:5: error: cannot find 'x' in scope"),
    ("bundle exec rspec", 1, "Failures:\n  1) Cart adds\n     expected: 3\n          got: 4\n5 examples, 1 failure"),
    ("go vet ./...", 1, "./main.go:9:2: undefined: foo"),
    ("npx prettier --check .", 1, "[warn] src/a.ts\n[warn] Code style issues found in the above file."),
    ("python3 -c 'import numpyy'", 1, "ModuleNotFoundError: No module named 'numpyy'"),
    ("ruby bin/seed", 1, "bin/seed:3:in `<main>': undefined method `foo' for nil:NilClass (NoMethodError)"),
    (
        "docker build -t app .",
        1,
        "ERROR: failed to solve: failed to read dockerfile: open Dockerfile: no such file or directory",
    ),
    ("terraform validate", 1, "Error: Reference to undeclared resource\n  on main.tf line 9"),
    (
        "git rebase --continue",
        1,
        "src/a.ts: needs merge\nYou must edit all merge conflicts and then\nmark them as resolved using git add",
    ),
    (
        "cmake --build build",
        2,
        "/p/a.cpp:4:3: error: 'foo' was not declared in this scope\nninja: build stopped: subcommand failed.",
    ),
    (
        "npm run lint",
        1,
        "/p/src/a.js\n  3:7  error  'y' is assigned a value but never used  no-unused-vars\n\n✖ 1 problem",
    ),
    ("deno check main.ts", 1, "error: TS2304 [ERROR]: Cannot find name 'foo'.\n    at file:///p/main.ts:1:1"),
    ("zig build", 1, "src/main.zig:5:9: error: use of undeclared identifier 'x'"),
    ("./tools/frob --all", 3, "frob: widget 7 is misaligned"),
];

fn looks(session: &mut Session, rng: &mut Rng) {
    match rng.below(6) {
        0 => session.pass("git status --short", " M src/a.ts"),
        1 => session.pass_tool("Read", "/p/src/a.ts", "export const a = 1;"),
        2 => session.pass("rg -n cart src | head -5", "src/cart.ts:1:export"),
        3 => session.fail("grep -rn nothing src", 1, ""),
        4 => session.pass("sed -n 1,20p src/cart.ts", "export function add() {}"),
        _ => session.fail_tool("Read", "/p/src/none.ts", "File does not exist."),
    };
}

/// One situation of healthy work.
fn situation(kind: u64, session: &mut Session, rng: &mut Rng) {
    let broken = BROKEN[rng.below(BROKEN.len() as u64) as usize];
    let fail = |session: &mut Session, times: u64| {
        for _ in 0..times {
            session.fail(broken.0, broken.1, broken.2);
        }
    };
    match kind {
        // Test first: red, red once more, edit, another red, green.
        0 => {
            session.pass_tool("Write", "/p/src/cart.test.ts", "written");
            fail(session, 1 + rng.below(3));
            for round in 0..2 + rng.below(5) {
                session.pass_tool("Edit", "/p/src/cart.ts", "updated");
                session.fail(broken.0, broken.1, &format!("{}\ncase {round}", broken.2));
                looks(session, rng);
            }
            session.pass_tool("Edit", "/p/src/cart.ts", "updated");
            session.pass(broken.0, "all passed");
        }
        // A flaky suite: once it has passed by itself, a longer streak of bad luck is no loop.
        1 => {
            let flaky = (
                "npx playwright test checkout",
                1,
                "1) checkout.spec.ts:9:5 › pays\n    Error: Timed out 5000ms waiting for expect(locator).toBeVisible()\n  1 failed",
            );
            session.fail(flaky.0, flaky.1, flaky.2);
            session.pass(flaky.0, "1 passed");
            for _ in 0..3 {
                for _ in 0..2 + rng.below(5) {
                    session.fail(flaky.0, flaky.1, flaky.2);
                }
                session.pass(flaky.0, "1 passed");
            }
        }
        // Something elsewhere takes its time.
        2..=4 => {
            let (command, code, output) = POLLS[rng.below(POLLS.len() as u64) as usize];
            for _ in 0..5 + rng.below(8) {
                session.fail(command, code, output);
                if rng.below(3) == 0 {
                    looks(session, rng);
                }
            }
            session.pass(command, "ok");
        }
        // Exit codes that are answers.
        5 | 6 => {
            let (command, code, output) = ANSWERS[rng.below(ANSWERS.len() as u64) as usize];
            for _ in 0..4 + rng.below(4) {
                session.fail(command, code, output);
                looks(session, rng);
            }
        }
        // A build goes on in the background, and its product is tried again and again.
        7 => {
            let start =
                ["npm run build -- --watch", "cargo build --release", "docker compose up db"][rng.below(3) as usize];
            match session.agent {
                Agent::Codex => session.leave_running(start),
                Agent::ClaudeCode => assert!(session.run(Step::Background(start))),
                _ => assert!(session.pass(&format!("nohup {start} > /tmp/log 2>&1 &"), "[1] 4711")),
            }
            for _ in 0..4 + rng.below(6) {
                session.fail(
                    "node dist/server.js",
                    1,
                    "Error: Cannot find module '/p/dist/server.js'\n  code: 'MODULE_NOT_FOUND'",
                );
                session.fail("ls dist/server.js", 2, "ls: cannot access 'dist/server.js': No such file or directory");
            }
            session.pass("node dist/server.js", "listening");
        }
        // Sub-agents and their parent run the same check.
        8 => {
            for sub_agent in ["a-1", "a-2", "a-3"] {
                // Where a client does not name sub-agents, each has a session of its own.
                session.sub_agent = Some(sub_agent);
                session.session = sub_agent;
                fail(session, 1 + rng.below(3));
                looks(session, rng);
            }
            (session.sub_agent, session.session) = (None, "s-1");
            fail(session, 1 + rng.below(3));
        }
        // Two sessions of one project take turns.
        9 => {
            for _ in 0..3 {
                for name in ["s-left", "s-right"] {
                    session.session = name;
                    fail(session, 1);
                    looks(session, rng);
                }
            }
            session.session = "s-1";
        }
        // The person edits, commits or answers between two runs.
        10 => {
            for round in 0..4 {
                fail(session, 1 + rng.below(3));
                match round {
                    0 => session.edit_by_hand("packages/web/src/cart.ts"),
                    1 => session.edit_by_hand(".git/HEAD"),
                    2 => session.prompt(),
                    _ => session.edit_by_hand(".env"),
                }
            }
            fail(session, 1);
        }
        // Git: rejected, pulled, pushed; a commit hook that wants changes.
        11 => {
            for _ in 0..3 {
                session.fail(
                    "git push",
                    1,
                    " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs",
                );
                session.pass("git pull --rebase", "Successfully rebased and updated refs/heads/main.");
            }
            session.pass("git push", "main -> main");
            for _ in 0..4 {
                session.fail(
                    "git commit -m 'add cart'",
                    1,
                    "eslint...........Failed\n- hook id: eslint\n- exit code: 1",
                );
                session.pass("git add -A", "");
            }
        }
        // MCP tools fail for reasons of their own.
        12 => {
            for _ in 0..5 {
                session.run(Step::Tool(
                    "mcp__browser__click",
                    json!({"selector": "#pay"}),
                    false,
                    "element not found: #pay",
                ));
                session.run(Step::Tool(
                    "mcp__db__query",
                    json!({"sql": "select * from jobs"}),
                    false,
                    "relation \"jobs\" does not exist",
                ));
                session.run(Step::Tool(
                    "mcp__github__create_issue",
                    json!({"title": "x"}),
                    false,
                    "422 Validation Failed",
                ));
            }
        }
        // The session goes on hours later, or after lunch.
        13 => {
            for _ in 0..3 {
                fail(session, 3);
                session.wait_ms(5 * 3_600_000);
                if rng.below(2) == 0 {
                    session.start();
                }
            }
            for _ in 0..4 {
                fail(session, 2);
                session.wait_ms(12 * 60_000);
            }
        }
        // A quota with a time: tried once, and again when it is over.
        14 => {
            for _ in 0..3 {
                session.fail("node scripts/summarise.mjs", 1, "Error 429: quota exceeded, try again in 20 minutes");
                session.wait_ms(21 * 60_000);
            }
            session.pass("node scripts/summarise.mjs", "done");
        }
        // The person does not allow a call; the client reports nothing more about it.
        15 => {
            for _ in 0..5 {
                session.begin("rm -rf node_modules");
            }
            fail(session, 3);
            session.begin("npm install --force");
            fail(session, 1);
        }
        // One package after the other with the same failure; the same script with another input each time.
        16 => {
            for part in 0..12 {
                session.fail(
                    &format!("pnpm --filter @app/part{part} lint"),
                    1,
                    "  3:7  error  'y' is never used  no-unused-vars\n✖ 1 problem",
                );
                session.fail(
                    &format!("python3 - <<'E'\nimport part{part}\nE"),
                    1,
                    "Traceback (most recent call last):\nModuleNotFoundError: No module named 'part'",
                );
            }
        }
        // Other settings of the same run.
        17 => {
            for prefix in ["", "RUST_BACKTRACE=1 ", "RUST_LOG=debug ", "CI=1 ", "time "] {
                session.fail(&format!("{prefix}{}", broken.0), broken.1, broken.2);
            }
        }
        // An outage that ends.
        18 => {
            for _ in 0..4 {
                session.fail("pip install -r requirements.txt", 1, "ERROR: Could not find a version that satisfies the requirement x\nNewConnectionError: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution");
                session.wait_ms(40_000);
            }
            session.pass("pip install -r requirements.txt", "Successfully installed x-1.0");
        }
        // Files that are read until somebody has made them.
        19 => {
            for _ in 0..6 {
                session.fail_tool("Read", "/p/out/report.json", "File does not exist.");
                session.fail("cat out/report.json", 1, "cat: out/report.json: No such file or directory");
                session.fail(
                    "jq .total out/report.json",
                    2,
                    "jq: error: Could not open out/report.json: No such file or directory",
                );
            }
        }
        // An edit that misses, is looked at again and then fits.
        20 => {
            for round in 0..5 {
                let input = json!({"file_path": "/p/src/a.ts", "old_string": format!("a{round}"), "new_string": "b"});
                session.run(Step::Tool("Edit", input.clone(), false, "String to replace not found in file."));
                session.pass_tool("Read", "/p/src/a.ts", "const a = 1;");
                session.run(Step::Tool("Edit", input, true, "updated"));
            }
        }
        // A failing check between other work, in one directory of a monorepo after the other.
        21 => {
            for part in ["api", "web", "worker", "shared"] {
                for _ in 0..2 {
                    let dir = session.dir.path().join(part);
                    std::fs::create_dir_all(&dir).unwrap();
                    match session.agent {
                        // It names the project, not the directory.
                        Agent::OpenCode => {
                            let input = json!({"command": broken.0, "workdir": dir});
                            session.run(Step::Call(input, broken.1, broken.2));
                        }
                        _ => {
                            session.cwd = Some(dir);
                            fail(session, 1);
                        }
                    }
                }
            }
            session.cwd = None;
        }
        // Each run gets further by itself: a resumed import, a suite that remembers what has passed.
        22 => {
            for left in (2..9).rev() {
                let output =
                    format!("FAILED tests/test_cart.py::test_add\n{left} failed, {} passed in 1.2s", 20 - left);
                session.fail("pytest --lf", 1, &output);
            }
            for done in 1..8 {
                let output = format!("imported {done}00/2000 rows\nRuntimeError: bad answer at row {done}00");
                session.fail("python3 import.py --resume", 1, &output);
                let output = format!("epoch {done}/50 loss=0.3\nRuntimeError: device-side assert");
                session.fail("python3 train.py --resume", 1, &output);
            }
        }
        // Debugging by print statements, taken out again.
        _ => {
            for _ in 0..4 {
                fail(session, 2);
                session.pass_tool("Edit", "/p/src/a.ts", "updated");
                fail(session, 2);
                session.pass("git checkout src/a.ts", "Updated 1 path from the index");
            }
        }
    }
}

#[test]
fn no_healthy_session_is_held_back() {
    let (mut calls, mut report) = (0, String::new());
    for seed in 0..72_u64 {
        let mut rng = Rng::new(90_000 + seed);
        let mut session = Session::new(Agents::ALL[seed as usize % Agents::ALL.len()]);
        for _ in 0..6 {
            let kind = rng.below(24);
            let before = session.denials.len();
            situation(kind, &mut session, &mut rng);
            // The next situation is another piece of work: the person has asked for it.
            session.prompt();
            for denial in &session.denials[before..] {
                let _ = writeln!(report, "seed {seed} situation {kind} {}: {denial}", session.agent);
            }
        }
        calls += session.calls;
    }
    assert!(calls >= 5_000, "only {calls} calls");
    assert!(report.is_empty(), "{} denials in {calls} calls\n{report}", report.lines().count());
}

#[test]
fn every_stuck_session_is_stopped_at_its_fourth_run() {
    let mut report = String::new();
    for seed in 0..204_usize {
        let mut rng = Rng::new(95_000 + seed as u64);
        let mut session = Session::new(Agents::ALL[seed % Agents::ALL.len()]);
        let (command, code, output) = BROKEN[(seed / Agents::ALL.len()) % BROKEN.len()];
        let has_looks = rng.below(2) == 0;
        let ran = (0..6).map(|_| {
            let ran = session.fail(command, code, output);
            if has_looks {
                looks(&mut session, &mut rng);
            }
            ran
        });
        let ran: Vec<bool> = ran.collect();
        if ran != [true, true, true, false, false, false] {
            let _ = writeln!(report, "seed {seed} {}: {command} ran {ran:?}", session.agent);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_disguised_loop_is_advised_about_and_runs() {
    for (command, code, output) in BROKEN {
        let mut session = Session::new(Agent::ClaudeCode);
        for disguise in ["{}", "{} 2>&1", "{} # again", "cd . && {}", "{} # and again"] {
            session.fail(&disguise.replace("{}", command), *code, output);
        }
        assert_eq!(session.denials, Vec::<String>::new());
        let told = session.told.clone().unwrap_or_default();
        assert!(told.contains("\nloop: "), "{command}: {told}");
        assert!(told.lines().count() <= 6, "{told}");
    }
}

#[test]
fn a_quota_is_held_beside_what_goes_on_in_the_background() {
    let mut session = Session::new(Agent::ClaudeCode);
    session.run(Step::Background("npm run build"));
    let runs = [(); 3]
        .map(|()| session.fail("node ask.mjs", 1, "You have hit your session limit, resets 2099-01-01T03:00:00Z"));
    assert_eq!(runs, [true, true, false]);
    assert!(session.denials[0].contains("held back until 2099-01-01T03:00:00Z"), "{}", session.denials[0]);
    assert!(session.denials[0].contains("next: wait until then"), "{}", session.denials[0]);
}
