//! Database clients.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "sqlite",
        language: Some("SQL"),
        needs: &["sqlite3"],
        cases: &[
            case(
                "sqlite-busy",
                LOCK,
                "(echo 'BEGIN EXCLUSIVE;'; sleep 3) | sqlite3 app.db & sleep 0.7; sqlite3 \
                 app.db 'INSERT INTO jobs VALUES (2)'",
                "another connection is writing",
            )
            .after("sqlite3 app.db 'CREATE TABLE jobs (id INT)'"),
            case(
                "sqlite-busy-python",
                LOCK,
                "(echo 'BEGIN EXCLUSIVE;'; sleep 4) | sqlite3 app.db & sleep 0.7; python3 -c \
                 \"import sqlite3; sqlite3.connect('app.db', timeout=1).execute('INSERT INTO \
                 jobs VALUES (2)')\"",
                "another connection is writing, seen from Python",
            )
            .after("sqlite3 app.db 'CREATE TABLE jobs (id INT)'"),
            case("sqlite-table", REFUSED_DATA, "sqlite3 app.db 'SELECT * FROM users'", "no such table"),
            case(
                "sqlite-unique",
                REFUSED_DATA,
                "sqlite3 app.db 'INSERT INTO users VALUES (1); INSERT INTO users VALUES (1);'",
                "a row breaks a constraint",
            )
            .after("sqlite3 app.db 'CREATE TABLE users (id INT UNIQUE)'"),
            case("sqlite-read-only", DENIED, "sqlite3 -readonly app.db 'DELETE FROM users'", "opened for reading only")
                .after("sqlite3 app.db 'CREATE TABLE users (id INT)'"),
            case(
                "sqlite-full",
                DISK_FULL,
                "tiny-disk sqlite3 disk/app.db 'CREATE TABLE t (b BLOB); INSERT INTO t \
                 VALUES (zeroblob(300000));'",
                "the disk is full",
            ),
            case(
                "sqlite-open",
                MISSING_FILE,
                "sqlite3 -readonly data/app.db 'SELECT 1'",
                "the database file is not there",
            ),
            case(
                "sqlite-format",
                BAD_FORMAT,
                "sqlite3 app.db .tables 'SELECT * FROM users'",
                "the file is not a database",
            )
            .files(&[(
                "app.db",
                "version https://git-lfs.example/spec/v1\noid sha256:0000\n\
                 size 40960, a pointer where the database should be; pad pad pad pad\n",
            )]),
            case(
                "sqlite-ok",
                BENIGN,
                "sqlite3 -header -column app.db 'SELECT * FROM log'",
                "rows that speak of errors",
            )
            .after(
                "sqlite3 app.db \"CREATE TABLE log (level, message); INSERT INTO log VALUES \
                 ('ERROR', 'database is locked, retried'), ('INFO', '0 failed')\"",
            ),
        ],
    },
    Tool {
        name: "postgres",
        language: Some("SQL"),
        needs: &["psql"],
        cases: &[
            case(
                "postgres-refused",
                CONNECTION,
                "psql -h 127.0.0.1 -p $CLOSED_PORT -U app -c 'SELECT 1'",
                "nothing listens on the port",
            ),
            case(
                "postgres-reset",
                CONNECTION,
                "psql -h 127.0.0.1 -p $RESET_PORT -U app -c 'SELECT 1'",
                "the server resets",
            ),
            case(
                "postgres-stall",
                TIMEOUT,
                "PGCONNECT_TIMEOUT=2 psql -h 127.0.0.1 -p $STALL_PORT -U app -c 'SELECT 1'",
                "the server never answers",
            ),
            case(
                "postgres-name",
                CONNECTION,
                "psql postgresql://app@db.build.invalid/app -c 'SELECT 1'",
                "the host name does not resolve",
            ),
            case("postgres-socket", CONNECTION, "psql -h $PWD -d app", "no server on the socket"),
            case(
                "postgres-password",
                CREDENTIALS,
                "with-postgres bash -c 'echo \"local all all scram-sha-256\" > \
                 pg/data/pg_hba.conf; psql -qc \"SELECT pg_reload_conf()\" >/dev/null; sleep \
                 0.5; PGPASSWORD=wrong psql -c \"SELECT 1\"'",
                "the password is wrong",
            )
            .needs(&["createdb"]),
            case("postgres-database", REFUSED_DATA, "with-postgres psql -d billing -c 'SELECT 1'", "no such database")
                .needs(&["createdb"]),
            case("postgres-relation", REFUSED_DATA, "with-postgres psql -c 'SELECT * FROM invoices'", "no such table")
                .needs(&["createdb"]),
            case(
                "postgres-unique",
                REFUSED_DATA,
                "with-postgres psql -c 'CREATE TABLE u (id int PRIMARY KEY)' -c 'INSERT INTO \
                 u VALUES (1), (1)'",
                "a row breaks a constraint",
            )
            .needs(&["createdb"]),
            case(
                "postgres-lock",
                LOCK,
                "with-postgres bash -c 'psql -qc \"CREATE TABLE t (id int)\"; psql -qc \
                 \"BEGIN; LOCK TABLE t; SELECT pg_sleep(2)\" >/dev/null 2>&1 & sleep 0.7; \
                 psql -c \"SET lock_timeout = 300\" -c \"DROP TABLE t\"'",
                "another session holds the table",
            )
            .needs(&["createdb"]),
            case(
                "postgres-deadlock",
                LOCK,
                "with-postgres bash -c 'psql -qc \"CREATE TABLE t (id int, n int); INSERT \
                 INTO t VALUES (1, 0), (2, 0)\"; psql -qc \"BEGIN; UPDATE t SET n = 1 WHERE \
                 id = 1; SELECT pg_sleep(1); UPDATE t SET n = 1 WHERE id = 2; SELECT \
                 pg_sleep(1); COMMIT\" >/dev/null 2>&1 & sleep 0.3; psql -v ON_ERROR_STOP=1 \
                 -c \"SET deadlock_timeout = 100\" -c \"BEGIN; UPDATE t SET n = 2 WHERE id = \
                 2; SELECT pg_sleep(1); UPDATE t SET n = 2 WHERE id = 1\"'",
                "two transactions wait for each other",
            )
            .needs(&["createdb"]),
            case(
                "postgres-statement",
                TIMEOUT,
                "with-postgres psql -c 'SET statement_timeout = 300' -c 'SELECT pg_sleep(5)'",
                "the server does not answer within the limit",
            )
            .needs(&["createdb"]),
            case(
                "postgres-clients",
                UNAVAILABLE,
                "with-postgres bash -c 'for i in 1 2 3 4 5 6; do psql -qc \"SELECT \
                 pg_sleep(3)\" >/dev/null 2>&1 & done; sleep 1; psql -c \"SELECT 1\"'",
                "all connections are taken",
            )
            .needs(&["createdb"]),
            case(
                "postgres-denied",
                DENIED,
                "with-postgres bash -c 'psql -qc \"CREATE TABLE pay (id int); CREATE ROLE \
                 guest LOGIN\"; psql -U guest -c \"SELECT * FROM pay\"'",
                "the role may not read the table",
            )
            .needs(&["createdb"]),
            case(
                "postgres-ok",
                BENIGN,
                "with-postgres psql -c 'CREATE TABLE errors (code int, text varchar)' -c \
                 \"INSERT INTO errors VALUES (429, 'rate limit'), (503, 'unavailable')\" -c \
                 'SELECT * FROM errors'",
                "rows that look like failures",
            )
            .needs(&["createdb"]),
        ],
    },
    Tool {
        name: "redis",
        language: None,
        needs: &["redis-cli", "redis-server"],
        cases: &[
            case("redis-refused", CONNECTION, "redis-cli -p $CLOSED_PORT ping", "nothing listens on the port"),
            case("redis-reset", CONNECTION, "redis-cli -p $RESET_PORT ping", "the server resets"),
            case("redis-auth", CREDENTIALS, "with-redis redis-cli -e -p 7421 get session:1", "no password given"),
            case(
                "redis-memory",
                OUT_OF_MEMORY,
                "with-redis bash -c 'head -c 4000000 /dev/zero | redis-cli -e \
                 --no-auth-warning -a example -p 7421 -x set big'",
                "the server may not have more memory",
            ),
            case(
                "redis-type",
                REFUSED_DATA,
                "with-redis bash -c 'redis-cli --no-auth-warning -a example -p 7421 set k v \
                 >/dev/null; redis-cli -e --no-auth-warning -a example -p 7421 lpush k 1'",
                "an operation on the wrong kind of value",
            ),
            case(
                "redis-python",
                TIMEOUT,
                "python3 -c \"import os, redis; \
                 redis.Redis(port=int(os.environ['STALL_PORT']), socket_timeout=1, \
                 retry=None).ping()\"",
                "the server never answers, seen from Python",
            ),
            case(
                "redis-ok",
                BENIGN,
                "with-redis redis-cli --no-auth-warning -a example -p 7421 set error:last 'ERR none'",
                "a value is set",
            ),
        ],
    },
    Tool {
        name: "mysql",
        language: Some("SQL"),
        needs: &["mysql"],
        cases: &[
            case(
                "mysql-refused",
                CONNECTION,
                "mysql -h 127.0.0.1 -P $CLOSED_PORT -u app -e 'SELECT 1'",
                "nothing listens on the port",
            ),
            case(
                "mysql-reset",
                CONNECTION,
                "mysql -h 127.0.0.1 -P $GREETING_PORT -u app -e 'SELECT 1'",
                "what answers is not a database and hangs up",
            ),
            case(
                "mysql-stall",
                TIMEOUT,
                "mysql --connect-timeout=1 -h 127.0.0.1 -P $STALL_PORT -u app -e 'SELECT 1'",
                "the server never greets",
            ),
            case(
                "mysql-name",
                CONNECTION,
                "mysql -h db.build.invalid -u app -e 'SELECT 1'",
                "the host name does not resolve",
            ),
            case("mysql-option", BAD_ARGUMENT, "mysql --retries=3 -e 'SELECT 1'", "an option mysql does not have"),
        ],
    },
    Tool {
        name: "sqlfluff",
        language: Some("SQL"),
        needs: &["sqlfluff"],
        cases: &[
            case("sqlfluff-lint", LINT, "sqlfluff lint --disable-progress-bar --dialect ansi q.sql", "findings in SQL")
                .files(&[("q.sql", "select  a,B from t where a=1\n")]),
            case(
                "sqlfluff-ok",
                BENIGN,
                "sqlfluff lint --disable-progress-bar --dialect ansi q.sql",
                "nothing is found",
            )
            .files(&[("q.sql", "SELECT error_code FROM failures\n")]),
        ],
    },
];
