//! Wrong paths, variables that are not set, wrong calls.

use crate::Case;
use recovery_types::AdjustmentKind as Kind;

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { by: "python, module of the project", kind: Kind::CorrectPath, there: &["src/billing/__init__.py", "src/billing/rates.py"],
        text: "ModuleNotFoundError: No module named 'billing.rates'" },
    Case { by: "python, shadowed package", kind: Kind::CorrectPath, there: &[],
        text: "ModuleNotFoundError: No module named 'queue_tools.jobs'; 'queue_tools' is not a package" },
    Case { by: "node, own file", kind: Kind::CorrectPath, there: &["lib/currency.js", "lib/dates.js", "package.json"],
        text: "Error: Cannot find module './lib/currencies'\nRequire stack:\n- /srv/app/index.js" },
    Case { by: "jest, alias", kind: Kind::CorrectPath, there: &["src/stores/cart.ts", "src/stores/user.ts"],
        text: "    Cannot find module '@/stores/cart' from 'src/pages/checkout.test.ts'" },
    Case { by: "npm, script", kind: Kind::CorrectCommand, there: &[],
        text: "npm error Missing script: \"biuld\"\n\
               npm error\n\
               npm error To see a list of scripts, run:\n\
               npm error   npm run" },
    Case { by: "npm, no package.json", kind: Kind::CorrectPath, there: &["web/package.json", "README.md"],
        text: "npm error code ENOENT\n\
               npm error syscall open\n\
               npm error path /srv/app/package.json\n\
               npm error errno -2\n\
               npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/srv/app/package.json'" },
    Case { by: "rustc, own module", kind: Kind::FixCode, there: &["src/ledger.rs", "src/main.rs", "Cargo.toml"],
        text: "error[E0432]: unresolved import `ledger`\n\
               \x20--> src/main.rs:1:5\n\
               \x20 |\n\
               1 | use ledger::Entry;\n\
               \x20 |     ^^^^^^ use of unresolved module or unlinked crate `ledger`" },
    Case { by: "cargo, env!", kind: Kind::SetVariable, there: &[],
        text: "error: environment variable `SIGNING_KEY` not defined at compile time\n\
               \x20--> src/main.rs:1:20" },
    Case { by: "cargo, no manifest", kind: Kind::CorrectPath, there: &["service/Cargo.toml"],
        text: "error: could not find `Cargo.toml` in `/srv/app` or any parent directory" },
    Case { by: "maven, no pom", kind: Kind::CorrectPath, there: &["backend/pom.xml"],
        text: "[\x1b[1;31mERROR\x1b[m] The goal you specified requires a project to execute but there is no POM in this directory (/srv/app). Please verify you invoked Maven from the correct directory. -> \x1b[1m[Help 1]\x1b[m" },
    Case { by: "gcc, own header", kind: Kind::CorrectPath, there: &["include/ring.h", "src/main.c"],
        text: "src/main.c:1:10: fatal error: ring.h: No such file or directory" },
    Case { by: "python, file", kind: Kind::CorrectPath, there: &["data/orders.csv", "data/users.csv", "README.md"],
        text: "FileNotFoundError: [Errno 2] No such file or directory: 'data/order.csv'" },
    Case { by: "python, script", kind: Kind::CorrectPath, there: &["scripts/migrate.py", "setup.py"],
        text: "python3: can't open file '/srv/app/migrate.py': [Errno 2] No such file or directory" },
    Case { by: "node, file", kind: Kind::CorrectPath, there: &["config/app.json", "conf/app.yaml"],
        text: "Error: ENOENT: no such file or directory, open 'conf/app.json'\n\
               \x20   at Object.openSync (node:fs:573:18)" },
    Case { by: "cat", kind: Kind::CorrectPath, there: &[],
        text: "cat: notes.txt: No such file or directory" },
    Case { by: "cp", kind: Kind::CorrectPath, there: &["build/bundle.js"],
        text: "cp: cannot stat 'dist/bundle.js': No such file or directory" },
    Case { by: "make, target", kind: Kind::CorrectPath, there: &["src/parse.c"],
        text: "make: *** No rule to make target 'src/parser.o', needed by 'all'.  Stop." },
    Case { by: "make, no such target", kind: Kind::CorrectCommand, there: &[],
        text: "make: *** No rule to make target 'tset'.  Stop." },
    Case { by: "git, pathspec", kind: Kind::CorrectCommand, there: &[],
        text: "error: pathspec 'relase' did not match any file(s) known to git" },
    Case { by: "kubectl, file", kind: Kind::CorrectPath, there: &["k8s/deploy.yaml"],
        text: "error: the path \"deploy.yaml\" does not exist" },
    Case { by: "docker, copy", kind: Kind::CorrectPath, there: &["requirements.txt", "Dockerfile"],
        text: "ERROR: failed to solve: failed to compute cache key: failed to calculate checksum of ref 4x::y \"/requirments.txt\": not found" },
    Case { by: "jq, file", kind: Kind::CorrectPath, there: &[],
        text: "jq: error: Could not open file totals.json: No such file or directory" },
    Case { by: "bash -u", kind: Kind::SetVariable, there: &[],
        text: "deploy.sh: line 4: DEPLOY_TARGET: unbound variable" },
    Case { by: "sh -u", kind: Kind::SetVariable, there: &[],
        text: "sh: 1: DEPLOY_TARGET: parameter not set" },
    Case { by: "python, environ", kind: Kind::SetVariable, there: &[],
        text: "  File \"/srv/app/settings.py\", line 12, in <module>\n\
               \x20   url = os.environ['BILLING_URL']\n\
               \x20 File \"<frozen os>\", line 679, in __getitem__\n\
               KeyError: 'BILLING_URL'" },
    Case { by: "prisma", kind: Kind::SetVariable, there: &[],
        text: "error: Environment variable not found: DATABASE_URL.\n  -->  schema.prisma:7" },
    Case { by: "compose", kind: Kind::SetVariable, there: &[],
        text: "error while interpolating services.web.environment.API_KEY: required variable API_KEY is missing a value: set it" },
    Case { by: "cargo, option", kind: Kind::CorrectCommand, there: &[],
        text: "error: unexpected argument '--realease' found\n\nUsage: cargo build [OPTIONS]" },
    Case { by: "gcc, option", kind: Kind::CorrectCommand, there: &[],
        text: "gcc: error: unrecognized command-line option ‘--std’; did you mean ‘-std’?" },
    Case { by: "grep, option", kind: Kind::CorrectCommand, there: &[],
        text: "grep: unrecognized option '--exlude'\nUsage: grep [OPTION]... PATTERNS [FILE]..." },
    Case { by: "argparse", kind: Kind::CorrectCommand, there: &[],
        text: "usage: load.py [-h] --out OUT\n\
               load.py: error: the following arguments are required: --out" },
    Case { by: "git, command", kind: Kind::CorrectCommand, there: &[],
        text: "git: 'comit' is not a git command. See 'git --help'." },
    Case { by: "kubectl, flag", kind: Kind::CorrectCommand, there: &[],
        text: "Error: unknown flag: --namspace\nSee 'kubectl get --help' for usage." },
    Case { by: "docker, command", kind: Kind::CorrectCommand, there: &[],
        text: "docker: unknown command: docker biuld\n\nRun 'docker --help' for more information" },
    Case { by: "curl, option", kind: Kind::CorrectCommand, there: &[],
        text: "curl: option --fial: is unknown\n\
               curl: try 'curl --help' or 'curl --manual' for more information" },
    Case { by: "jq, option", kind: Kind::CorrectCommand, there: &[],
        text: "jq: Unknown option --compat\nUse jq --help for help with command-line options," },
    Case { by: "find", kind: Kind::CorrectCommand, there: &[],
        text: "find: unknown predicate `-nmae'" },
    Case { by: "git, outside", kind: Kind::CorrectPath, there: &[],
        text: "fatal: not a git repository (or any of the parent directories): .git" },
    Case { by: "clap", kind: Kind::CorrectCommand, there: &[],
        text: "error: the following required arguments were not provided:\n\
               \x20 <DEP_ID|--path <PATH>|--git <URI>>\n\
               \n\
               Usage: cargo add [OPTIONS] <DEP>[@<VERSION>] ..." },
    Case { by: "sqlite, file", kind: Kind::CorrectPath, there: &["var/shop.db"],
        text: "Error: unable to open database \"/srv/data/shop.db\": unable to open database file" },
    Case { by: "java, jar", kind: Kind::CorrectPath, there: &["target/shop-1.1.jar"],
        text: "Error: Unable to access jarfile target/shop-1.0.jar" },
    Case { by: "perl, script", kind: Kind::CorrectPath, there: &["bin/report.pl"],
        text: "Can't open perl script \"reprot.pl\": No such file or directory" },
    Case { by: "kubectl, command", kind: Kind::CorrectCommand, there: &[],
        text: "Error: unknown command \"gte\" for \"kubectl\"\n\nDid you mean this?\n\tget" },
];
