//! Version control: git, the GitHub client, Mercurial, Subversion.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

/// A repository with one commit, and an author for the next ones.
const REPOSITORY: &str = "\
git init -q -b main . && git config user.email dev@example.test && git config user.name Dev && \
printf 'one\\ntwo\\n' > notes.txt && git add notes.txt && git commit -q -m 'First notes'";

/// Two branches that changed the same line.
const DIVERGED: &str = "\
git init -q -b main . && git config user.email dev@example.test && git config user.name Dev && \
echo base > notes.txt && git add . && git commit -q -m base && git switch -q -c feature && echo theirs > notes.txt && \
git commit -qam theirs && git switch -q main && echo ours > notes.txt && git commit -qam ours";

/// A clone whose remote has moved on.
const BEHIND: &str = "\
git init -q --bare -b main remote.git && git clone -q remote.git a 2>/dev/null && cd a && \
git config user.email a@example.test && git config user.name A && echo 1 > f && git add f && git commit -q -m one && \
git push -q origin main && cd .. && git clone -q remote.git b && cd b && git config user.email b@example.test && \
git config user.name B && echo 2 > g && git add g && git commit -q -m two && cd ../a && echo 3 > h && git add h && \
git commit -q -m three && git push -q origin main";

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "git",
        language: None,
        needs: &["git"],
        cases: &[
            case(
                "git-clone-refused",
                CONNECTION,
                "git clone http://127.0.0.1:$CLOSED_PORT/team/app.git",
                "nothing listens on the port",
            ),
            case("git-clone-reset", CONNECTION, "git clone $SERVER/reset/app.git", "the server resets the connection"),
            case(
                "git-clone-closed",
                CONNECTION,
                "git clone $SERVER/close/app.git",
                "the server closes without an answer",
            ),
            case(
                "git-clone-name",
                CONNECTION,
                "git clone https://git.build.invalid/team/app.git",
                "the host name does not resolve",
            ),
            case("git-clone-503", UNAVAILABLE, "git clone $SERVER/503/app.git", "the service is unavailable"),
            case("git-clone-429", RATE_LIMIT, "git clone $SERVER/429/app.git", "too many requests"),
            case(
                "git-clone-401",
                CREDENTIALS,
                "GIT_TERMINAL_PROMPT=0 git clone $SERVER/401/private.git",
                "the repository wants a login",
            ),
            case("git-clone-403", FORBIDDEN, "GIT_TERMINAL_PROMPT=0 git clone $SERVER/403/private.git", "a bare 403"),
            case("git-clone-404", MISSING_FILE, "git clone $SERVER/404/gone.git", "the repository does not exist"),
            case(
                "git-clone-ssh",
                CONNECTION,
                "GIT_SSH_COMMAND='ssh -o StrictHostKeyChecking=no' git clone \
                 ssh://git@127.0.0.1:$RESET_PORT/app.git",
                "the ssh peer resets",
            ),
            case(
                "git-clone-slow",
                TIMEOUT,
                "git -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=1 clone $SERVER/stall/app.git",
                "the server never answers",
            ),
            case(
                "git-clone-exists",
                STATE,
                "mkdir app && touch app/x && git clone ./src.git app",
                "the target directory is not empty",
            )
            .after("git init -q --bare src.git"),
            case(
                "git-index-lock",
                LOCK,
                "touch .git/index.lock; git add notes.txt",
                "another git process holds the index",
            )
            .after(REPOSITORY),
            case(
                "git-ref-lock",
                LOCK,
                "touch .git/refs/heads/main.lock; echo 3 >> notes.txt; git commit -am third",
                "another git process holds the branch",
            )
            .after(REPOSITORY),
            case("git-merge", CONFLICT, "git merge feature", "both branches changed the line").after(DIVERGED),
            case("git-rebase", CONFLICT, "git rebase feature", "a commit does not apply on the new base")
                .after(DIVERGED),
            case("git-cherry-pick", CONFLICT, "git cherry-pick feature", "the picked commit does not apply")
                .after(DIVERGED),
            case("git-stash-pop", CONFLICT, "git stash pop", "the stash does not apply").files(&[]).after(
                "git init -q -b main . && git config user.email d@example.test && git config \
                 user.name D && echo 1 > f && git add f && git commit -q -m 1 && echo 2 > f \
                 && git stash -q && echo 3 > f && git commit -qam 3",
            ),
            case(
                "git-push-rejected",
                STATE,
                "cd b && git push origin main",
                "the remote has commits that are not here",
            )
            .after(BEHIND),
            case("git-apply", STATE, "git apply fix.patch", "the patch is for other lines")
                .files(&[("fix.patch", "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,2 @@\n-three\n+four\n five\n")])
                .after(REPOSITORY),
            case("git-dirty", STATE, "echo changed > notes.txt; git checkout other", "local changes would be lost")
                .after(
                    "git init -q -b main . && git config user.email d@example.test && git config \
                 user.name D && echo 1 > notes.txt && git add . && git commit -q -m 1 && git \
                 switch -q -c other && echo 2 > notes.txt && git commit -qam 2 && git switch -q main",
                ),
            case(
                "git-identity",
                STATE,
                "git init -q . && touch a && git add a && git -c user.useConfigOnly=true \
                 commit -m first",
                "no author is configured",
            ),
            case("git-not-repository", MISSING_FILE, "git status", "not inside a repository"),
            case("git-pathspec", MISSING_FILE, "git checkout release/9", "no such branch").after(REPOSITORY),
            case("git-revision", BAD_ARGUMENT, "git log v9.9..HEAD", "no such revision").after(REPOSITORY),
            case("git-option", BAD_ARGUMENT, "git commit --amend-message 'x'", "an option git does not have")
                .after(REPOSITORY),
            case("git-subcommand", BAD_ARGUMENT, "git comit -m 'typo'", "a subcommand git does not have")
                .after(REPOSITORY),
            case("git-add-missing", MISSING_FILE, "git add src/new.rs", "the file is not there").after(REPOSITORY),
            case(
                "git-denied",
                DENIED,
                "chmod -R a-w .git && echo x > y; unprivileged git -c safe.directory='*' add \
                 notes.txt",
                "the repository may not be written",
            )
            .after(REPOSITORY),
            case(
                "git-disk",
                DISK_FULL,
                "tiny-disk git clone -q --no-hardlinks ./src disk/copy",
                "cloning onto a full disk",
            )
            .after(
                "git init -q -b main src && cd src && git config user.email d@example.test \
                 && git config user.name D && head -c 300000 /dev/urandom > blob && git add \
                 . && git commit -q -m blob",
            ),
            case(
                "git-corrupt",
                STATE,
                "f=$(find .git/objects -type f | sort | head -1); chmod u+w $f; : > $f; git fsck",
                "an object is empty",
            )
            .after(REPOSITORY),
            case(
                "git-hook",
                LINT,
                "echo 'x ' > a; git add a; git commit -m 'trailing space'",
                "the pre-commit hook refuses the formatting",
            )
            .files(&[("hook", "#!/bin/sh\nexec git diff --cached --check\n")])
            .after(
                "git init -q -b main . && git config user.email d@example.test && git config \
                 user.name D && chmod +x hook && mv hook .git/hooks/pre-commit",
            ),
            case(
                "git-ok-merge",
                BENIGN,
                "git switch -c topic && echo three >> notes.txt && git commit -am 'Fix merge \
                 conflict error handling' && git switch main && git merge topic",
                "a fast-forward merge",
            )
            .after(REPOSITORY),
            case(
                "git-ok-log",
                BENIGN,
                "git commit --allow-empty -m 'fatal: retry on 503 and connection reset' && \
                 git commit --allow-empty -m 'Revert \"tests failed with timeout\"' && git \
                 log --oneline",
                "a log that speaks of failures",
            )
            .after(REPOSITORY),
            case(
                "git-ok-status",
                BENIGN,
                "touch error.log failed.txt; git status",
                "untracked files with tempting names",
            )
            .after(REPOSITORY),
            case(
                "git-ok-push",
                BENIGN,
                "git init -q --bare ../origin.git; git remote add origin ../origin.git && \
                 git push -u origin main; code=$?; rm -rf ../origin.git; exit $code",
                "a push that succeeds",
            )
            .after(REPOSITORY),
        ],
    },
    Tool {
        name: "gh",
        language: None,
        needs: &["gh"],
        cases: &[
            case("gh-login", CREDENTIALS, "gh pr list --repo example/app", "no token is configured"),
            case("gh-option", BAD_ARGUMENT, "gh pr create --draught", "a flag gh does not have"),
            case(
                "gh-refused",
                CONNECTION,
                "GH_TOKEN=example-token GH_HOST=127.0.0.1:$CLOSED_PORT gh api repos/example/app",
                "the API host refuses",
            ),
        ],
    },
    Tool {
        name: "hg",
        language: None,
        needs: &["hg"],
        cases: &[
            case("hg-merge", CONFLICT, "hg merge --tool :merge", "both heads changed the line").after(
                "hg init . && echo a > f && hg add f && hg commit -u d -m a && echo b > f && \
                 hg commit -u d -m b && hg update -q 0 && echo c > f && hg commit -q -u d -m c",
            ),
            case("hg-none", MISSING_FILE, "hg status", "not inside a repository"),
            case("hg-503", UNAVAILABLE, "hg clone $SERVER/503/repo", "the service is unavailable"),
            case(
                "hg-ok",
                BENIGN,
                "hg init . && echo a > error.txt && hg add && hg commit -u d -m 'no merge \
                 conflicts left' && hg log",
                "a commit is made",
            ),
        ],
    },
    Tool {
        name: "svn",
        language: None,
        needs: &["svn", "svnadmin"],
        cases: &[
            case(
                "svn-refused",
                CONNECTION,
                "svn checkout svn://127.0.0.1:$CLOSED_PORT/trunk",
                "nothing listens on the port",
            ),
            case("svn-none", MISSING_FILE, "svn update", "not a working copy"),
            case("svn-locked", LOCK, "cd wc && svn update", "the working copy is locked by an unfinished command")
                .needs(&["sqlite3"])
                .after(
                    "svnadmin create repo && svn checkout -q file://$PWD/repo wc && sqlite3 \
                 wc/.svn/wc.db \"insert into wc_lock values (1, '', -1)\"",
                ),
        ],
    },
];
