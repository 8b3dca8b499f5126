//! The order of the step table: a witness for every rule, the winner of every pair that can meet, and the guards.

use node_repair::step::{STEPS, StepId, steps};
use recovery_types::repair::RepairAttempt;
use recovery_types::{AdjustmentKind, ErrorType, Problem, RepairRequest, Severity, Strategy};

/// An output that makes one rule win, with the type a diagnosis gives it.
#[rustfmt::skip]
const WITNESSES: &[(StepId, ErrorType, &str)] = &[
    (StepId::Conflict, ErrorType::MergeConflict, "CONFLICT (content): Merge conflict in src/cart.rs"),
    (StepId::InputTooLong, ErrorType::ContextExhausted, "prompt is too long: 213462 tokens > 200000 maximum"),
    (StepId::QuotaUsedUp, ErrorType::QuotaExhausted, "You exceeded your current quota, please check your plan"),
    (StepId::StatedWait, ErrorType::RateLimit, "429 Too Many Requests: try again in 12 seconds"),
    (StepId::SlowDown, ErrorType::RateLimit, "429 Too Many Requests"),
    (StepId::FailingTest, ErrorType::TestFailure, "FAILED tests/test_cart.py::test_total - assert 3 == 4"),
    (StepId::SystemLimit, ErrorType::Other, "Error: EMFILE: too many open files, open 'a.txt'"),
    (StepId::DiskFull, ErrorType::DiskFull, "cp: error writing 'out/image.bin': No space left on device"),
    (StepId::MemoryShort, ErrorType::OutOfMemory, "MemoryError"),
    (StepId::PortInUse, ErrorType::Other, "Error: listen EADDRINUSE: address already in use :::3000"),
    (StepId::TransactionLost, ErrorType::LockContention, "ERROR:  deadlock detected"),
    (StepId::LockHeld, ErrorType::LockContention, "sqlite3.OperationalError: database is locked"),
    (StepId::SomeLockHeld, ErrorType::LockContention, "flock: failed to get lock"),
    (StepId::RejectedSetting, ErrorType::Other, "curl: (60) SSL certificate problem: self-signed certificate"),
    (StepId::SomeCertificate, ErrorType::UntrustedCertificate, "the peer's certificate is not one that we know"),
    (StepId::VersionMismatch, ErrorType::MissingDependency, "error: release version 25 not supported"),
    (StepId::BrokenImport, ErrorType::MissingDependency, "ImportError: cannot import name 'rate' from 'shop' (/srv/shop.py)"),
    (StepId::NotLinked, ErrorType::CompileError, "main.c:(.text+0x1d): undefined reference to `SSL_new'"),
    (StepId::MissingPackage, ErrorType::MissingDependency, "ModuleNotFoundError: No module named 'yaml'"),
    (StepId::MissingLibrary, ErrorType::CompileError, "main.c:1:10: fatal error: openssl/ssl.h: No such file or directory"),
    (StepId::KeyEnded, ErrorType::MissingCredentials, "400 API key expired. Please renew the API key."),
    (StepId::UnsetVariable, ErrorType::RuntimeException, "deploy.sh: line 3: DEPLOY_TARGET: unbound variable"),
    (StepId::MissingCommand, ErrorType::CommandNotFound, "bash: line 1: jq: command not found"),
    (StepId::SomeMissingCommand, ErrorType::CommandNotFound, "the helper program is not there"),
    (StepId::Login, ErrorType::MissingCredentials, "fatal: could not read Username for 'https://git.example.org'"),
    (StepId::Denied, ErrorType::PermissionDenied, "PermissionError: [Errno 13] Permission denied: '/etc/shop.conf'"),
    (StepId::NotRunning, ErrorType::ConnectionFailure, "Error: connect ECONNREFUSED 127.0.0.1:5432"),
    (StepId::UnresolvedHost, ErrorType::ConnectionFailure, "curl: (6) Could not resolve host: mirror.example.org"),
    (StepId::Passing, ErrorType::NetworkTimeout, "curl: (28) Operation timed out after 2000 milliseconds"),
    (StepId::WrongCall, ErrorType::InvalidArgument, "error: unexpected argument '--releas' found"),
    (StepId::WrongCallInGeneral, ErrorType::InvalidArgument, "Command \"udpate\" is not defined."),
    (StepId::ToolSuggests, ErrorType::InvalidArgument, "not like this. Run \"yarn add redux\" instead."),
    (StepId::SomeWrongCall, ErrorType::InvalidArgument, "that is not how it is called"),
    (StepId::SomeMissingPackage, ErrorType::MissingDependency, "the ledgerkit package is needed here"),
    (StepId::WrongPath, ErrorType::FileNotFound, "cat: data/in.csv: No such file or directory"),
    (StepId::SomeWrongPath, ErrorType::FileNotFound, "curl: (22) The requested URL returned error: 404"),
    (StepId::MissingInDatabase, ErrorType::Other, "Error: in prepare, no such table: users"),
    (StepId::WrongConfig, ErrorType::WrongOutputFormat, "cannot parse settings/app.toml: unexpected key"),
    (StepId::BrokenCode, ErrorType::CompileError, "main.rs: mismatched types"),
    (StepId::Look, ErrorType::Other, "Frobnicator: gizmo misaligned at quadrant 7"),
];

fn request(error: Option<ErrorType>, text: &str) -> RepairRequest {
    let mut request = RepairRequest { error_type: error, ..RepairRequest::default() };
    request.error.text = text.to_owned();
    if text.contains("ledgerkit") {
        let (kind, name) = ("package".to_owned(), "ledgerkit".to_owned());
        request.missing = Some(recovery_types::diagnosis::Missing { kind, name });
    }
    request
}

fn winner(error: Option<ErrorType>, text: &str) -> StepId {
    steps(&request(error, text))[0].0
}

fn witness(id: StepId) -> (ErrorType, &'static str) {
    let (_, error, text) = WITNESSES.iter().find(|(of, ..)| *of == id).expect("every rule has a witness");
    (*error, text)
}

#[test]
fn every_rule_has_a_witness() {
    for rule in STEPS {
        let (error, text) = witness(rule.id);
        let made = steps(&request(Some(error), text));
        assert_eq!(made[0].0, rule.id, "{text}: {}", made[0].1.text);
        assert!(rule.kinds.contains(&made[0].1.kind), "{}: {:?}", rule.id.name(), made[0].1.kind);
        assert!(rule.id.page().trim().ends_with('.'), "{} has a page", rule.id.name());
    }
}

/// Of two outputs in one text, under every error type that admits both rules, the higher rule wins.
#[test]
fn pairwise_winners() {
    let mut rows = Vec::new();
    for a in STEPS {
        for b in STEPS.iter().filter(|b| b.id > a.id) {
            let (first, second) = (witness(a.id), witness(b.id));
            let both = format!("{}\n{}", second.1, first.1);
            let types = [first.0, second.0].into_iter().filter(|error| {
                // A rule may rest on its own type: only what both make under this type can meet.
                let makes = |id, text| steps(&request(Some(*error), text)).iter().any(|(made, _)| *made == id);
                makes(a.id, first.1) && makes(b.id, second.1)
            });
            let mut types: Vec<ErrorType> = types.collect();
            types.dedup();
            for error in types {
                let winner = winner(Some(error), &both);
                assert!(winner <= a.id, "{} loses against {} as {error}", a.id.name(), winner.name());
                if b.id != StepId::Look {
                    rows.push(format!("{error}: {} before {} -> {}", a.id.name(), b.id.name(), winner.name()));
                }
            }
        }
    }
    insta::assert_snapshot!(rows.join("\n"));
}

/// What failed is not proposed again in other words: the next proposal reaches the end in another way.
#[test]
fn after_a_failed_repair_comes_another_way() {
    for (error, text, kind) in [
        (ErrorType::CommandNotFound, "bash: jq: command not found", AdjustmentKind::CorrectCommand),
        (ErrorType::MissingDependency, "ModuleNotFoundError: No module named 'yaml'", AdjustmentKind::FixCode),
        (ErrorType::FileNotFound, "cat: data/in.csv: No such file or directory", AdjustmentKind::CorrectCommand),
    ] {
        let mut request = request(Some(error), text);
        let first = node_repair::step::choose(&request).best;
        let mut attempt = |approach: &str| {
            let approach = approach.to_owned();
            request.attempts.push(RepairAttempt { strategy: Some(Strategy::Retry), approach, ok: false });
            node_repair::step::choose(&request).best
        };
        let second = attempt(&first.text);
        assert_eq!((second.kind, &second.subject), (kind, &first.subject), "{}", second.text);
        let third = attempt(&second.text);
        assert!(![first.kind, second.kind].contains(&third.kind), "{}", third.text);
    }
}

#[test]
fn a_service_is_started_only_on_this_machine() {
    let kind = |error, text: &str| steps(&request(Some(error), text))[0].1.kind;
    use AdjustmentKind::{Repeat, StartService};
    for local in [
        "connect ECONNREFUSED 127.0.0.1:5432",
        "dial tcp [::1]:6379: connect: connection refused",
        "curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server",
    ] {
        assert_eq!(kind(ErrorType::ConnectionFailure, local), StartService, "{local}");
    }
    for remote in [
        "connect ECONNREFUSED 10.0.3.4:5432",
        "ssh: connect to host github.com port 22: Connection refused",
        "curl: (28) Failed to connect to github.com port 443 after 130000 ms: Couldn't connect to server",
    ] {
        assert_eq!(kind(ErrorType::ConnectionFailure, remote), Repeat, "{remote}");
    }
    assert_eq!(kind(ErrorType::NetworkTimeout, "connect ETIMEDOUT 127.0.0.1:443"), Repeat);
}

#[test]
fn an_undefined_name_is_never_a_variable_to_set() {
    for (error, text) in [
        (ErrorType::CompileError, "error[E0425]: cannot find value `DATABASE_URL` in this scope"),
        (ErrorType::RuntimeException, "ReferenceError: DATABASE_URL is not defined"),
        (ErrorType::RuntimeException, "NameError: name 'DATABASE_URL' is not defined"),
        (ErrorType::CompileError, "main.go:3:7: undefined: DATABASE_URL"),
        (ErrorType::RuntimeException, "KeyError: 'DATABASE_URL'"),
    ] {
        assert_eq!(steps(&request(Some(error), text))[0].1.kind, AdjustmentKind::FixCode, "{text}");
    }
}

#[test]
fn a_failing_test_wins_over_what_it_printed() {
    let text =
        "listen tcp 127.0.0.1:8080: bind: address already in use\nNo module named 'yaml'\n--- FAIL: TestServe (0.01s)";
    assert_eq!(winner(Some(ErrorType::TestFailure), text), StepId::FailingTest);
}

/// What the output says far from the root cause makes no step.
#[test]
fn only_the_evidence_counts() {
    let noise = "ModuleNotFoundError: No module named 'yaml'\n".to_owned() + &"ok\n".repeat(40);
    let mut request = request(Some(ErrorType::CompileError), &format!("{noise}src/main.rs:4:18: mismatched types\n"));
    let mut problem = Problem::new(Severity::Error, "mismatched types");
    (problem.file, problem.line, problem.column) = (Some("src/main.rs".into()), Some(4), Some(18));
    (problem.code, problem.text_line) = (Some("E0308".into()), Some(42));
    request.problem = Some(problem);
    let (_, step) = &steps(&request)[0];
    assert_eq!(step.text, "fix src/main.rs:4:18: mismatched types (E0308)");
}

#[test]
fn a_failed_test_is_worded_with_its_place_and_difference() {
    let mut request = request(Some(ErrorType::TestFailure), "E  assert 3 == 4");
    let mut problem = Problem::new(Severity::Error, "assert 3 == 4");
    (problem.file, problem.line) = (Some("tests/test_a.py".into()), Some(12));
    problem.test = Some("test_login".into());
    (problem.expected, problem.actual) = (Some("4".into()), Some("3".into()));
    request.problem = Some(problem);
    let words = "fix the test or the code: test_login at tests/test_a.py:12: assert 3 == 4 (expected: 4, got: 3)";
    assert_eq!(steps(&request)[0].1.text, words);
}

/// Linking is advised where the symbols are a library's; one's own undefined symbols are code.
#[test]
fn undefined_references_of_a_known_library_are_a_missing_flag() {
    let own = "a.c:(.text+0xd): undefined reference to `array_add_ptr'";
    assert_eq!(winner(Some(ErrorType::CompileError), own), StepId::BrokenCode);
    let curl = "a.c:(.text+0xd): undefined reference to `curl_easy_init'\na.c:(.text+0x1d): undefined reference to `curl_easy_perform'";
    let (_, step) = &steps(&request(Some(ErrorType::CompileError), curl))[0];
    assert_eq!((step.kind, step.subject.as_deref()), (AdjustmentKind::FixConfig, Some("-lcurl")));
}

/// A step that failed is not proposed again; the next one comes, and when none is left that is said.
#[test]
fn what_failed_before_is_not_proposed_again() {
    use node_repair::{RepairConfig, select};
    use recovery_types::repair::RepairAttempt;
    let mut request = request(Some(ErrorType::CommandNotFound), "bash: line 1: jq: command not found");
    request.budget = Some(5);
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..6 {
        let repair = select(&request, &RepairConfig::default());
        let directive = repair.directive.unwrap();
        assert!(!seen.contains(&directive), "{directive}");
        if repair.strategy == Some(recovery_types::Strategy::Escalate) {
            return;
        }
        request.attempts.push(RepairAttempt { approach: directive.clone(), ..RepairAttempt::default() });
        seen.push(directive);
    }
    panic!("it never ends: {seen:?}");
}

#[test]
fn a_used_up_quota_is_waited_for_where_its_renewal_is_stated() {
    let text = "You've hit your session limit · resets 9:30am (Asia/Kolkata)";
    let unknown = request(Some(ErrorType::QuotaExhausted), text);
    assert_eq!(steps(&unknown)[0].1.kind, AdjustmentKind::AskHuman);

    let stated = RepairRequest { resets_at: "2026-11-19T04:00:00Z".parse().ok(), ..unknown.clone() };
    let (_, step) = steps(&stated).swap_remove(0);
    assert_eq!(step.kind, AdjustmentKind::Wait);
    assert!(step.text.starts_with("wait until 2026-11-19 04:00 UTC"), "{}", step.text);

    let delayed = RepairRequest { retry_after_ms: Some(40_000), ..unknown };
    let (_, step) = steps(&delayed).swap_remove(0);
    assert_eq!((step.kind, step.wait_ms), (AdjustmentKind::Wait, Some(40_000)));
    assert!(step.text.starts_with("wait 40 s"), "{}", step.text);
}

#[test]
fn what_a_server_or_a_processor_rejects_is_no_wrong_call() {
    for (text, subject) in [
        (
            "error: error validating \"shop.yaml\": error validating data: ValidationError(Deployment.spec): unknown field \"replica\" in io.k8s.api.apps.v1.DeploymentSpec",
            "shop.yaml",
        ),
        (
            "Error from server (BadRequest): Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error: unknown field \"spec.replica\"",
            "spec.replica",
        ),
        ("exec /app/shop: exec format error", "processor"),
    ] {
        let mut request = RepairRequest { error_type: Some(ErrorType::InvalidArgument), ..RepairRequest::default() };
        request.error.text = text.to_owned();
        let (_, step) = steps(&request).swap_remove(0);
        assert_eq!((step.kind, step.subject.as_deref()), (AdjustmentKind::FixConfig, Some(subject)), "{text}");
    }
}

#[test]
fn a_vague_step_needs_evidence_that_it_is_about_its_subject() {
    let first = |error_type, text: &str| {
        let mut request = RepairRequest { error_type: Some(error_type), ..RepairRequest::default() };
        request.error.text = text.to_owned();
        steps(&request).swap_remove(0).1
    };
    let rejected = "Error: validation: chart.metadata.type must be application or library";
    assert_eq!(first(ErrorType::InvalidArgument, rejected).kind, AdjustmentKind::Look);
    let no_class = "1) Class Shop\\Resolver cannot be used as a resolver because it does not exist";
    assert_ne!(first(ErrorType::FileNotFound, no_class.replace('\\', ".").as_str()).kind, AdjustmentKind::CorrectPath);
    let full = "write error (disk full?).  Continue anyway? (y/n) [n]";
    assert_ne!(first(ErrorType::DiskFull, full).subject.as_deref(), Some("y/n"));
    let denied = "User: ci is not authorized to perform: s3:PutObject\nFor more information see: https://changes.example.org/node";
    let step = first(ErrorType::PermissionDenied, denied);
    assert_eq!((step.kind, step.subject), (AdjustmentKind::GrantPermission, None));
}

#[test]
fn line_ends_and_limits_are_settings() {
    for (error_type, text, subject) in [
        (ErrorType::CommandNotFound, "bash: ./run.sh: /bin/bash^M: bad interpreter: No such file or directory", None),
        (ErrorType::CommandNotFound, "/usr/bin/env: 'bash\\r': No such file or directory", None),
        (ErrorType::LockContention, "-bash: fork: retry: Resource temporarily unavailable", Some("processes")),
    ] {
        let mut request = RepairRequest { error_type: Some(error_type), ..RepairRequest::default() };
        request.error.text = text.to_owned();
        let (_, step) = steps(&request).swap_remove(0);
        assert_eq!((step.kind, step.subject.as_deref()), (AdjustmentKind::FixConfig, subject), "{text}");
    }
}

#[test]
fn a_program_that_no_path_holds_is_installed() {
    let mut request = RepairRequest { error_type: Some(ErrorType::FileNotFound), ..RepairRequest::default() };
    request.error.text = "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.".to_owned();
    let (_, step) = steps(&request).swap_remove(0);
    assert_eq!(step.kind, AdjustmentKind::InstallCommand);
}
