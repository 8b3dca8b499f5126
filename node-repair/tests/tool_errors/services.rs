//! Ports, services, locks, rights, delays, disk and memory.

use crate::Case;
use recovery_types::AdjustmentKind as Kind;

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { by: "cargo, lock", kind: Kind::ReleaseLock, there: &[],
        text: "    Blocking waiting for file lock on build directory" },
    Case { by: "node, port", kind: Kind::FreePort, there: &[],
        text: "Error: listen EADDRINUSE: address already in use :::3000\n\
               \x20   at Server.setupListenHandle [as _listen2] (node:net:1908:16)" },
    Case { by: "go, port", kind: Kind::FreePort, there: &[],
        text: "listen tcp :8080: bind: address already in use" },
    Case { by: "docker, port", kind: Kind::FreePort, there: &[],
        text: "docker: Error response from daemon: driver failed programming external connectivity on endpoint web: Bind for 0.0.0.0:5432 failed: port is already allocated." },
    Case { by: "python, port", kind: Kind::FreePort, there: &[],
        text: "OSError: [Errno 98] Address already in use" },
    Case { by: "uvicorn", kind: Kind::FreePort, there: &[],
        text: "ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use" },
    Case { by: "rails, pid", kind: Kind::FreePort, there: &[],
        text: "A server is already running (pid: 4121, file: /srv/app/tmp/pids/server.pid).\n\
               Address already in use - bind(2) for \"127.0.0.1\" port 3000 (Errno::EADDRINUSE)" },
    Case { by: "psql", kind: Kind::StartService, there: &[],
        text: "psql: error: connection to server at \"127.0.0.1\", port 5432 failed: Connection refused\n\
               \tIs the server running on that host and accepting TCP/IP connections?" },
    Case { by: "psql, socket", kind: Kind::StartService, there: &[],
        text: "psql: error: connection to server on socket \"/var/run/postgresql/.s.PGSQL.5432\" failed: No such file or directory\n\
               \tIs the server running locally and accepting connections on that socket?" },
    Case { by: "node, redis", kind: Kind::StartService, there: &[],
        text: "Error: connect ECONNREFUSED 127.0.0.1:6379\n\
               \x20   at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)" },
    Case { by: "docker daemon", kind: Kind::StartService, there: &[],
        text: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" },
    Case { by: "kubectl, server", kind: Kind::StartService, there: &[],
        text: "E1116 05:53:04.238705   30711 memcache.go:265] \"Unhandled Error\" err=\"couldn't get current server API group list: Get \\\"http://127.0.0.1:6443/api?timeout=32s\\\": dial tcp 127.0.0.1:6443: connect: connection refused\"\n\
               The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?" },
    Case { by: "curl, refused", kind: Kind::StartService, there: &[],
        text: "curl: (7) Failed to connect to 127.0.0.1 port 8999 after 0 ms: Couldn't connect to server" },
    Case { by: "apt, lock", kind: Kind::ReleaseLock, there: &[],
        text: "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4121 (unattended-upgr)\n\
               E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?" },
    Case { by: "git, lock", kind: Kind::ReleaseLock, there: &[],
        text: "fatal: Unable to create '/srv/app/.git/index.lock': File exists.\n\
               \n\
               Another git process seems to be running in this repository, e.g.\n\
               an editor opened by 'git commit'." },
    Case { by: "terraform, lock", kind: Kind::ReleaseLock, there: &[],
        text: "Error: Error acquiring the state lock\n\
               \n\
               Error message: resource temporarily unavailable\n\
               Lock Info:\n\
               \x20 ID:        0f5d3c1a-7b1e-4c55-9f0e-0a8d5c2b7e11\n\
               \x20 Path:      terraform.tfstate\n\
               \x20 Operation: OperationTypeApply\n\
               \x20 Who:       dana@build-7\n\
               \x20 Version:   1.11.4" },
    Case { by: "sqlite", kind: Kind::ReleaseLock, there: &[],
        text: "sqlite3.OperationalError: database is locked" },
    Case { by: "gradle, lock", kind: Kind::ReleaseLock, there: &[],
        text: "Timeout waiting to lock journal cache (/home/dana/.gradle/caches/journal-1). It is currently in use by another Gradle instance.\n\
               Owner PID: 9123\n\
               Our PID: 9377" },
    Case { by: "postgres, deadlock", kind: Kind::Repeat, there: &[],
        text: "ERROR:  deadlock detected\n\
               DETAIL:  Process 812 waits for ShareLock on transaction 5531; blocked by process 815." },
    Case { by: "bash, script", kind: Kind::GrantPermission, there: &[],
        text: "bash: line 1: ./deploy.sh: Permission denied" },
    Case { by: "python, permission", kind: Kind::GrantPermission, there: &[],
        text: "PermissionError: [Errno 13] Permission denied: '/etc/shop.conf'" },
    Case { by: "node, permission", kind: Kind::GrantPermission, there: &[],
        text: "Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/serve'" },
    Case { by: "mkdir", kind: Kind::GrantPermission, there: &[],
        text: "mkdir: cannot create directory ‘/opt/shop’: Permission denied" },
    Case { by: "apt, root", kind: Kind::GrantPermission, there: &[],
        text: "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\n\
               E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?" },
    Case { by: "docker, socket", kind: Kind::GrantPermission, there: &[],
        text: "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get \"http://%2Fvar%2Frun%2Fdocker.sock/v1.47/containers/json\": dial unix /var/run/docker.sock: connect: permission denied" },
    Case { by: "ssh, key", kind: Kind::Authenticate, there: &[],
        text: "git@git.example.org: Permission denied (publickey).\n\
               fatal: Could not read from remote repository." },
    Case { by: "git, login", kind: Kind::Authenticate, there: &[],
        text: "fatal: could not read Username for 'https://git.example.org': terminal prompts disabled" },
    Case { by: "git, dubious", kind: Kind::GrantPermission, there: &[],
        text: "fatal: detected dubious ownership in repository at '/srv/app'\n\
               To add an exception for this directory, call:\n\
               \n\
               \tgit config --global --add safe.directory /srv/app" },
    Case { by: "psql, password", kind: Kind::Authenticate, there: &[],
        text: "psql: error: connection to server at \"db\" (10.0.3.4), port 5432 failed: FATAL:  password authentication failed for user \"shop\"" },
    Case { by: "docker, registry", kind: Kind::Authenticate, there: &[],
        text: "Error response from daemon: pull access denied for acme/shop-api, repository does not exist or may require 'docker login'" },
    Case { by: "http, retry-after", kind: Kind::Wait, there: &[],
        text: "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 12\r\n\r\n{\"error\":\"slow down\"}" },
    Case { by: "api, try again", kind: Kind::Wait, there: &[],
        text: "Rate limit reached for requests. Please try again in 1m30s." },
    Case { by: "curl, dns", kind: Kind::Repeat, there: &[],
        text: "curl: (6) Could not resolve host: mirror.example.org" },
    Case { by: "npm, reset", kind: Kind::Repeat, there: &[],
        text: "npm error code ECONNRESET\n\
               npm error network aborted\n\
               npm error network This is a problem related to network connectivity." },
    Case { by: "pip, timeout", kind: Kind::Repeat, there: &[],
        text: "pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='files.example.org', port=443): Read timed out." },
    Case { by: "nginx", kind: Kind::Repeat, there: &[],
        text: "<html><head><title>503 Service Temporarily Unavailable</title></head></html>" },
    Case { by: "dd", kind: Kind::FreeDisk, there: &[],
        text: "dd: writing to '/srv/data/img': No space left on device" },
    Case { by: "python, disk", kind: Kind::FreeDisk, there: &[],
        text: "OSError: [Errno 28] No space left on device: '/var/cache/shop/blob'" },
    Case { by: "node, heap", kind: Kind::FreeMemory, there: &[],
        text: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory" },
    Case { by: "java, heap", kind: Kind::FreeMemory, there: &[],
        text: "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\
               \tat Shop.main(Shop.java:9)" },
    Case { by: "g++", kind: Kind::FreeMemory, there: &[],
        text: "g++: fatal error: Killed signal terminated program cc1plus\n\
               compilation terminated." },
    Case { by: "watchers", kind: Kind::FixConfig, there: &[],
        text: "Error: ENOSPC: System limit for number of file watchers reached, watch '/srv/app/src'" },
    Case { by: "open files", kind: Kind::FixConfig, there: &[],
        text: "accept4: too many open files" },
    Case { by: "ssh, host", kind: Kind::Repeat, there: &[],
        text: "ssh: Could not resolve hostname build-9.example.org: Name or service not known" },
    Case { by: "ssh, refused", kind: Kind::Repeat, there: &[],
        text: "ssh: connect to host 10.0.3.4 port 22: Connection refused" },
];
