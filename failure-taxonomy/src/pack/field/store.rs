//! Stores and queues that speak no plain SQL: MongoDB, Redis, Cassandra, ClickHouse, Elasticsearch, RabbitMQ.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, DiskFull, InvalidArgument, LockContention, MissingCredentials, NetworkTimeout,
    Other, OutOfMemory, PermissionDenied, ServiceUnavailable,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("mongo.not-authorized", "not authorized on", PermissionDenied, "MongoServerError: not authorized on admin to execute command { find: \"users\" }", "authorized on x"),
    decisive("mongo.requires-auth", "requires authentication", MissingCredentials, "MongoServerError: command find requires authentication", "authentication").pattern(r"command \w+ requires"),
    decisive("mongo.primary", "notwritableprimary", ServiceUnavailable, "MongoServerError: NotWritablePrimary: not primary", "a primary"),
    decisive("mongo.duplicate", "e11000 duplicate key", Other, "MongoServerError: E11000 duplicate key error collection: shop.users index: _id_", "duplicate"),
    decisive("mongo.time-limit", "exceeded time limit", NetworkTimeout, "MongoServerError: operation exceeded time limit", "a time limit"),
    decisive("mongo.selection", "serverselection", ConnectionFailure, "MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:27017", "selection").pattern(r"(?i)serverselection(?:timeout)?error|server selection"),
    decisive("redis.loading", "loading redis is loading the dataset", ServiceUnavailable, "LOADING Redis is loading the dataset in memory", "loading"),
    decisive("redis.cluster-down", "clusterdown", ServiceUnavailable, "CLUSTERDOWN The cluster is down", "a cluster").pattern(r"^(?:.*[ :(])?CLUSTERDOWN"),
    decisive("redis.clients", "err max number of clients reached", ServiceUnavailable, "-ERR max number of clients reached", "clients"),
    decisive("redis.busy", "busy redis is busy running a script", LockContention, "BUSY Redis is busy running a script. You can only call SCRIPT KILL", "a script"),
    decisive("redis.read-only", "readonly you can't write against a read only", PermissionDenied, "READONLY You can't write against a read only replica.", "a replica"),
    decisive("redis.noperm", "noperm", PermissionDenied, "NOPERM this user has no permissions to run the 'flushall' command", "a user").pattern(r"^(?:.*[ :(])?NOPERM"),
    decisive("redis.protected", "running in protected mode", PermissionDenied, "-DENIED Redis is running in protected mode because protected mode is enabled", "protected"),
    decisive("redis.misconf", "misconf", Other, "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.", "conf").pattern(r"^(?:.*[ :(])?MISCONF"),
    decisive("redis.arity", "err wrong number of arguments", InvalidArgument, "(error) ERR wrong number of arguments for 'get' command", "arguments"),
    decisive("redis.wrongpass", "wrongpass", MissingCredentials, "WRONGPASS invalid username-password pair or user is disabled.", "wrong pass"),
    decisive("redis.wrongtype", "wrongtype operation", Other, "WRONGTYPE Operation against a key holding the wrong kind of value", "type"),
    decisive("redis.memory", "command not allowed when used memory", OutOfMemory, "OOM command not allowed when used memory > 'maxmemory'.", "memory"),
    decisive("cassandra.unavailable", "code=1000", ServiceUnavailable, "Unavailable: Error from server: code=1000 [Unavailable exception] message=\"Cannot achieve consistency level QUORUM\"", "code=0").pattern(r"Unavailable"),
    decisive("cassandra.unauthorized", "code=2100", PermissionDenied, "Unauthorized: Error from server: code=2100 [Unauthorized] message=\"User app has no SELECT permission\"", "code=0").pattern(r"Unauthorized"),
    decisive("cassandra.syntax", "code=2000", CompileError, "SyntaxException: line 1:7 no viable alternative at input 'FORM' code=2000 [Syntax error in CQL query]", "code=0").pattern(r"Syntax"),
    decisive("clickhouse.memory", "memory limit", OutOfMemory, "Code: 241. DB::Exception: Memory limit (total) exceeded: would use 9.31 GiB", "the memory limit").pattern(r"(?i)memory limit.*exceeded"),
    decisive("clickhouse.syntax", "code: 62.", CompileError, "Code: 62. DB::Exception: Syntax error: failed at position 8 ('FORM')", "code: 62").pattern(r"DB::Exception").tool("clickhouse"),
    decisive("clickhouse.auth", "code: 516.", MissingCredentials, "Code: 516. DB::Exception: default: Authentication failed: password is incorrect", "code: 516").pattern(r"DB::Exception").tool("clickhouse"),
    decisive("clickhouse.denied", "code: 497.", PermissionDenied, "Code: 497. DB::Exception: app: Not enough privileges.", "code: 497").pattern(r"DB::Exception").tool("clickhouse"),
    decisive("clickhouse.network", "code: 210.", ConnectionFailure, "Code: 210. DB::NetException: Connection refused (localhost:9000)", "code: 210").pattern(r"DB::\w*Exception").tool("clickhouse"),
    decisive("clickhouse.timeout", "db::exception", NetworkTimeout, "Code: 159. DB::Exception: Timeout exceeded: elapsed 60.1 seconds, maximum: 60", "an exception").pattern(r"(?i)code: (?:159|209)\.").tool("clickhouse"),
    suggestive("clickhouse.any", "db::exception", Other, "Code: 60. DB::Exception: Table shop.users does not exist. (UNKNOWN_TABLE)", "an exception").pattern(r"Code: \d+\. DB::Exception").tool("clickhouse"),
    decisive("elastic.watermark", "flood-stage watermark", DiskFull, "index [orders] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]", "a watermark").tool("elasticsearch"),
    decisive("elastic.auth", "missing authentication credentials", MissingCredentials, "{\"type\":\"security_exception\",\"reason\":\"missing authentication credentials for REST request [/]\"}", "authentication credentials").tool("elasticsearch"),
    decisive("elastic.bootstrap", "bootstrap checks failed", Other, "ERROR: [1] bootstrap checks failed", "bootstrap checks").tool("elasticsearch"),
    decisive("rabbit.refused", "access_refused", MissingCredentials, "(403, 'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN.')", "access").tool("rabbitmq"),
    decisive("rabbit.precondition", "precondition_failed -", InvalidArgument, "(406, \"PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'jobs'\")", "precondition").tool("rabbitmq"),
    decisive("rabbit.locked", "resource_locked -", LockContention, "(405, \"RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'jobs'\")", "locked").tool("rabbitmq"),
    decisive("rabbit.node", "unable to perform an operation on node", ConnectionFailure, "Error: unable to perform an operation on node 'rabbit@web'. Please see diagnostics information", "a node").tool("rabbitmq"),
];
