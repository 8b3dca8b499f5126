//! Whether a call polls: it queries something that may be ready the next time.
//!
//! In: a [`Call`], and whether its failure may pass by itself. Out: a call that polls is never held back, and its
//! ladder does not climb. A server that starts, a deployment or a build on another machine does not announce when it
//! is ready. There are two kinds: calls that always poll (`kubectl get`, `gh run watch`, a script called
//! `wait-for-db.sh`), and calls that count as polling only where the failure may pass by itself (`curl`, `sleep 5 &&
//! npm ci`).
//!
//! To add a command, add it to the table of its kind below; MCP tools and scripts are recognised by words in their
//! names.

use super::changes::{is_read_only, waits_long};
use super::{has_subcommand, is_among, words_of};
use crate::Call;
use crate::shell::{Line, Simple};

/// Tools that read the progress of a command in the background.
const WAITING_TOOLS: &str = "BashOutput TaskOutput KillShell read_bash wait wait_agent write_stdin";
/// Programs that query a server, which may not have started yet.
const POLLERS: &str = "curl wget http https xh grpcurl nc ncat telnet ping dig nslookup host redis-cli mysqladmin";
/// Clients of databases: they poll where the server may not have started yet.
const DATABASE_CLIENTS: &str = "psql mysql mariadb mongosh sqlcmd cqlsh";
/// Programs that do nothing but query a state.
const STATE_QUERIES: &str = "\
    pg_isready ss lsof pgrep wait-on wait-for-it.sh wait-for squeue sacct qstat bjobs journalctl systemd-analyze";
/// Clients of something that runs elsewhere; with a subcommand of [`QUERY_WORDS`] they query its state.
const QUERY_CLIENTS: &str = "\
    docker docker-compose podman kubectl oc helm gh glab systemctl aws gcloud az fly flyctl heroku vercel netlify \
    nomad supervisorctl pm2 launchctl argocd buildkite-agent adb xcrun bq doctl hcloud consul vault databricks airflow \
    prefect railway render eas rabbitmqctl etcdctl temporal multipass supabase celery influx";
/// Subcommands of clients that only query; `describe` matches `describe-stacks`, too.
const QUERY_WORDS: &str = "\
    ps inspect logs port get wait rollout describe view watch checks list ls status is-active show query state \
    devices wait-for-device events top bootstatus download getprop health ping info await await_startup";
/// Clients that run a command elsewhere.
const REMOTE_SHELLS: &str = "ssh docker docker-compose podman kubectl oc vagrant multipass";
/// Clients of services that others change: no file of the project shows whether the same call would work by now. With
/// [`POLLERS`].
const REMOTE_CLIENTS: &str = "\
    gh glab kubectl oc helm aws gcloud gsutil az fly flyctl heroku vercel netlify wrangler firebase nomad argocd \
    buildkite-agent ssh scp sftp rsync adb xcrun";
/// Subcommands that query a registry for what may be published by now.
const QUERY_SUBCOMMANDS: &[(&str, &str)] =
    &[("npm", "view info ping"), ("pnpm", "view info"), ("yarn", "info"), ("cargo", "search info"), ("pip", "index")];
/// Programs that run the script or the module that is their first argument.
const INTERPRETERS: &str =
    "python python3 node ruby php perl bash sh zsh deno bun tsx ts-node uv poetry npx rails bundle";
/// Subcommands that fetch the changes of others before the command that matters.
const FETCHING_SUBCOMMANDS: &[(&str, &str)] = &[("git", "pull fetch"), ("svn", "update up"), ("hg", "pull")];
/// Programs that run a task by its name.
const TASK_RUNNERS: &str = "make gmake just task npm pnpm yarn bun rake invoke mage";
/// Words in the name of a script, task, address or tool that waits or polls.
const WAITING_WORDS: &str = "\
    wait waiting poll polling ready readiness liveness alive health healthy healthz healthcheck status progress \
    bootstatus";
/// Words in the name of an MCP tool that queries something that runs elsewhere.
const RUNNING_WORDS: &str = "watch job jobs pod pods deployment deployments logs";
/// This machine.
const LOOPBACK: [&str; 4] = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"];

impl Call {
    /// Whether it queries something that may be ready the next time. `may_pass` is whether its failure may pass by
    /// itself: a transient one, or one that is not recognised.
    #[must_use]
    pub fn is_polling(&self, may_pass: bool) -> bool {
        if may_pass && is_local(&self.action) {
            return true;
        }
        if !self.is_shell {
            let asks = |word: &String| is_among(WAITING_WORDS, word) || is_among(RUNNING_WORDS, word);
            return is_among(WAITING_TOOLS, &self.tool) || words_of(&self.tool).iter().any(asks);
        }
        let line = Line::parse(&self.action);
        let last = line.commands.len().saturating_sub(1);
        let is_wait_and_look = line.commands.iter().any(waits_long) && line.commands.iter().all(is_read_only);
        is_wait_and_look
            || line.commands.iter().enumerate().any(|(at, simple)| {
                asks(simple)
                    || may_pass && queries_what_may_start(simple)
                    || at < last && has_subcommand(FETCHING_SUBCOMMANDS, simple.program(), simple.subcommand())
            })
    }

    /// Whether the outcome is that of a service elsewhere, whose changes this machine cannot observe.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        let is_client =
            |simple: &Simple| is_among(REMOTE_CLIENTS, simple.program()) || is_among(POLLERS, simple.program());
        self.is_shell && Line::parse(&self.action).commands.iter().any(is_client)
    }
}

/// Whether the command asks by what it is.
fn asks(simple: &Simple) -> bool {
    let program = simple.program();
    let has_waiting_word = |text: &str| words_of(text).iter().any(|word| is_among(WAITING_WORDS, word));
    let is_query_word = |word: &str| {
        let is_start =
            |asking: &str| word.strip_prefix(asking).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        QUERY_WORDS.split_ascii_whitespace().any(is_start)
    };
    let inner = || simple.arguments().flat_map(str::split_ascii_whitespace);
    let is_remote_query =
        |word: &str| is_among(STATE_QUERIES, word) || is_among(POLLERS, word) || matches!(word, "is-active" | "status");
    is_among(STATE_QUERIES, program)
        || has_waiting_word(program)
        || is_among(POLLERS, program) && simple.arguments().any(|word| is_local(word) || has_waiting_word(word))
        || is_among(QUERY_CLIENTS, program) && simple.arguments().any(is_query_word)
        || is_among(REMOTE_SHELLS, program) && inner().any(is_remote_query)
        || is_among(TASK_RUNNERS, program) && names_of_tasks(simple).any(has_waiting_word)
        || has_subcommand(QUERY_SUBCOMMANDS, program, simple.subcommand())
        || program == "openssl" && simple.has(&["s_client"])
        || names_of_script(simple).any(has_waiting_word)
}

/// The script that an interpreter runs and its first argument (`python manage.py wait_for_db`), unless it is a test.
fn names_of_script(simple: &Simple) -> impl Iterator<Item = &str> {
    let program = simple.program();
    let is_run = is_among(INTERPRETERS, program) || program.ends_with(".py") || program.ends_with(".sh");
    let names = simple.arguments().take_while(|word| !word.starts_with('-')).filter(|word| *word != "run").take(2);
    let names: Vec<&str> = names.filter(|_| is_run).collect();
    let is_test = |word: &String| matches!(word.as_str(), "test" | "tests" | "spec" | "specs" | "pytest" | "unittest");
    let has_test = names.iter().any(|name| words_of(name).iter().any(is_test));
    names.into_iter().filter(move |_| !has_test)
}

/// Whether the command asks where its failure may pass by itself: `./deploy.sh status`, `curl`, `ssh` to what boots.
fn queries_what_may_start(simple: &Simple) -> bool {
    let program = simple.program();
    matches!(program, "sleep" | "ssh")
        || is_among(POLLERS, program)
        || is_among(DATABASE_CLIENTS, program)
        || is_among(QUERY_CLIENTS, program) && simple.has(&["--wait"])
        || simple.arguments().any(|word| is_among(WAITING_WORDS, word))
}

/// The tasks that a task runner is given; what comes after `--` or the name of a test belongs to the task itself.
fn names_of_tasks(simple: &Simple) -> impl Iterator<Item = &str> {
    let words = simple.arguments().filter(|word| !word.starts_with('-') || *word == "--");
    words.take_while(|word| *word != "--" && !matches!(*word, "test" | "t" | "check")).take(2)
}

fn is_local(text: &str) -> bool {
    LOOPBACK.iter().any(|host| text.contains(host))
}

#[cfg(test)]
mod tests {
    use crate::call::{shell, tool};

    #[test]
    fn what_asks_by_its_nature() {
        for command in [
            "aws cloudformation describe-stacks",
            "git pull && npm test",
            "helm status web",
            "oc get pods",
            "gh run view 1",
            "gh pr checks 44",
            "kubectl get pods",
            "docker ps",
            "squeue -j 12",
            "docker exec db pg_isready",
            "docker compose exec db mysqladmin ping",
            "ssh host 'systemctl is-active app'",
            "./scripts/wait-for-deploy.sh staging",
            "make wait",
            "npm run wait:db",
            "curl -fsS https://staging.example.com/healthz",
            "curl -s localhost:3000",
            "sleep 20; cat result.json",
            "npm view @me/pkg@1.2.3 version",
            "xcrun simctl bootstatus X",
            "adb shell getprop sys.boot_completed",
            "bq show -j job1",
            "openssl s_client -connect x:443 </dev/null",
            "python manage.py wait_for_db",
            "node scripts/wait-for-api.js",
            "bash scripts/health.sh",
            "npm ping",
            "poetry run python scripts/wait_for_db.py",
            "rabbitmqctl await_startup",
            "celery -A app inspect ping",
            "multipass info vm",
            "supabase status",
            "temporal workflow describe -w x",
        ] {
            assert!(shell(command).is_polling(false), "{command}");
        }
        for name in ["mcp__ci__get_build_status", "mcp__browser__browser_wait_for", "k8s-pods_get", "BashOutput"] {
            assert!(tool(name).is_polling(false), "{name}");
        }
    }

    #[test]
    fn what_asks_where_the_failure_may_pass() {
        for command in [
            "sleep 2; curl :3000",
            "curl https://example.com/x",
            "sleep 30 && npm ci",
            "nc -z db 5432",
            "./bin/deploy status",
            "docker compose up -d --wait",
            "psql -c 'select 1'",
        ] {
            assert!(shell(command).is_polling(true), "{command}");
            assert!(!shell(command).is_polling(false), "{command}");
        }
        assert!(shell("node client.js http://localhost:3000").is_polling(true));
    }

    #[test]
    fn what_others_change() {
        for command in ["gh pr merge 12", "cd x && kubectl apply -f a.yaml", "ssh host make", "wget https://x/y.tgz"] {
            assert!(shell(command).is_remote(), "{command}");
        }
        for command in ["cargo test", "git push", "docker build .", "make ssh"] {
            assert!(!shell(command).is_remote(), "{command}");
        }
    }

    #[test]
    fn what_does_not_ask() {
        for command in [
            "npm test",
            "docker build .",
            "gh pr create",
            "curl -f https://example.com/missing",
            "git pull",
            "sleep 30 && npm test",
            "cargo test status",
            "npm test -- health",
            "pytest tests/test_status.py",
            "make check-status test",
            "ssh deploy@host ls",
            "cat status.txt",
            "python test_status.py",
            "node tests/health.test.js",
            "python -m pytest tests/test_status.py",
            "python app.py",
            "bash deploy.sh",
        ] {
            let expected = command.starts_with("make check-status");
            assert_eq!(shell(command).is_polling(false), expected, "{command}");
        }
        assert!(!tool("Read").is_polling(true) && !tool("mcp__db__query").is_polling(true));
    }
}
