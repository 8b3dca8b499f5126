//! HTTP, TLS and SSH clients against the loopback server.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

/// A certificate nobody signed.
const SELF_SIGNED: &str = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem \
                 -days 30 -subj /CN=build-cache.test";

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "curl",
        language: None,
        needs: &["curl"],
        cases: &[
            case(
                "curl-reset",
                CONNECTION,
                "curl -sS -o app.tgz $SERVER/reset/app.tgz",
                "the server resets the connection",
            ),
            case(
                "curl-refused",
                CONNECTION,
                "curl -sSf http://127.0.0.1:$CLOSED_PORT/health",
                "nothing listens on the port",
            ),
            case(
                "curl-name",
                CONNECTION,
                "curl -fsSL https://mirror.build.invalid/setup.sh | tar x; exit ${PIPESTATUS[0]}",
                "the host name does not resolve; tar then gets an empty stream",
            ),
            case("curl-empty", CONNECTION, "curl -sS $SERVER/close/v1/items", "the server closes without an answer"),
            case(
                "curl-cut",
                CONNECTION,
                "curl -o layer.tar $SERVER/cut/layer.tar",
                "the server closes in the middle of the body",
            ),
            case("curl-stall", TIMEOUT, "curl --max-time 1 $SERVER/stall/report", "the server never answers"),
            case(
                "curl-slow",
                TIMEOUT,
                "curl -v --connect-timeout 1 --max-time 1 https://127.0.0.1:$STALL_PORT/",
                "the TLS handshake never completes",
            ),
            case(
                "curl-429",
                RATE_LIMIT,
                "curl -i --fail-with-body $SERVER/429/api/search",
                "too many requests, answer shown with its headers",
            ),
            case(
                "curl-500",
                UNAVAILABLE,
                "curl --fail --silent --show-error -X POST -d @body.json $SERVER/500/api/jobs",
                "the server fails inside",
            )
            .files(&[("body.json", "{\"name\":\"nightly\"}")]),
            case(
                "curl-502",
                UNAVAILABLE,
                "curl -S -s --fail-with-body $SERVER/gateway/api",
                "a proxy has no healthy backend",
            ),
            case(
                "curl-503",
                UNAVAILABLE,
                "curl -sS -f --retry 2 --retry-delay 0 $SERVER/503/status",
                "unavailable, also after two retries",
            ),
            case("curl-504", UNAVAILABLE, "curl -sv -f $SERVER/504/export", "the gateway gave up on its backend"),
            case("curl-401", CREDENTIALS, "curl -f $SERVER/401/private/pkg.tgz -o pkg.tgz", "no credentials given"),
            case("curl-403", FORBIDDEN, "curl -fsS $SERVER/403/bucket/object", "a bare 403"),
            case(
                "curl-404",
                MISSING_FILE,
                "curl -fLO $SERVER/404/v2.0/tool-linux.tgz",
                "the file is not on the server",
            ),
            case(
                "curl-proxy",
                CREDENTIALS,
                "curl -sS --proxy http://127.0.0.1:$HTTP_PORT http://127.0.0.1:7411/407/ -f",
                "the proxy wants a login",
            ),
            case(
                "curl-certificate",
                UNTRUSTED,
                "openssl s_server -accept 7431 -key key.pem -cert cert.pem -www >/dev/null \
                 2>&1 & sleep 1; curl https://127.0.0.1:7431/; code=$?; kill $!; exit $code",
                "the certificate is self-signed",
            )
            .after(SELF_SIGNED)
            .needs(&["openssl"]),
            case("curl-option", BAD_ARGUMENT, "curl --follow --retries=5 $SERVER/ok/", "an option curl does not have"),
            case("curl-scheme", BAD_ARGUMENT, "curl -sS htps://127.0.0.1/", "a scheme curl does not know"),
            case(
                "curl-upload",
                MISSING_FILE,
                "curl -sS -T dist/app.zip $SERVER/ok/upload",
                "the file to upload is not there",
            ),
            case(
                "curl-write",
                DENIED,
                "mkdir out && chmod 555 out && unprivileged curl -o out/app.tgz $SERVER/ok/app.tgz",
                "the target directory is read-only",
            ),
            case("curl-ok", BENIGN, "curl -v $SERVER/ok/health", "a verbose request that succeeds"),
            case(
                "curl-ok-retry",
                BENIGN,
                "curl -f --retry 5 --retry-delay 1 $SERVER/flaky/artifact",
                "503 twice, then it succeeds",
            ),
            case(
                "curl-ok-json",
                BENIGN,
                "curl -sS $SERVER/json/summary",
                "a JSON answer with the words failed and errors",
            ),
            case(
                "curl-ok-codes",
                BENIGN,
                "for c in 429 500 503; do curl -s -o /dev/null -w '%{url} answered \
                 %{http_code}\\n' $SERVER/$c/; done",
                "a probe that reports status codes",
            ),
        ],
    },
    Tool {
        name: "wget",
        language: None,
        needs: &["wget"],
        cases: &[
            case(
                "wget-reset",
                CONNECTION,
                "wget --tries=2 --waitretry=0 $SERVER/reset/data.csv",
                "the server resets every attempt",
            ),
            case(
                "wget-refused",
                CONNECTION,
                "wget http://127.0.0.1:$CLOSED_PORT/data.csv",
                "nothing listens on the port",
            ),
            case(
                "wget-name",
                CONNECTION,
                "wget -nv https://downloads.build.invalid/sdk.zip",
                "the host name does not resolve",
            ),
            case(
                "wget-stall",
                TIMEOUT,
                "wget --timeout=1 --tries=1 $SERVER/stall/data.csv",
                "the server never answers",
            ),
            case("wget-429", RATE_LIMIT, "wget $SERVER/429/data.csv", "too many requests"),
            case(
                "wget-503",
                UNAVAILABLE,
                "wget -q --server-response --tries=1 $SERVER/503/data.csv",
                "the service is unavailable",
            ),
            case("wget-401", CREDENTIALS, "wget $SERVER/401/private.zip", "no credentials given"),
            case("wget-404", MISSING_FILE, "wget $SERVER/404/data-2020.csv", "the file is not on the server"),
            case("wget-disk", DISK_FULL, "wget -nv -O /dev/full $SERVER/ok/data.csv", "the target is full"),
            case("wget-option", BAD_ARGUMENT, "wget --max-retries 3 $SERVER/ok/x", "an option wget does not have"),
            case(
                "wget-ok",
                BENIGN,
                "wget --tries=4 --waitretry=0 --retry-on-http-error=503 $SERVER/flaky/data.csv",
                "503 twice, retried, saved",
            ),
        ],
    },
    Tool {
        name: "ssh",
        language: None,
        needs: &["ssh"],
        cases: &[
            case(
                "ssh-refused",
                CONNECTION,
                "ssh -p $CLOSED_PORT deploy@127.0.0.1 uptime",
                "nothing listens on the port",
            ),
            case(
                "ssh-reset",
                CONNECTION,
                "ssh -p $RESET_PORT -o StrictHostKeyChecking=no deploy@127.0.0.1 uptime",
                "the peer resets before its banner",
            ),
            case(
                "ssh-banner",
                TIMEOUT,
                "ssh -p $STALL_PORT -o ConnectTimeout=1 deploy@127.0.0.1 uptime",
                "the peer never sends its banner",
            ),
            case(
                "ssh-name",
                CONNECTION,
                "ssh -o BatchMode=yes deploy@bastion.build.invalid",
                "the host name does not resolve",
            ),
            case(
                "ssh-option",
                BAD_ARGUMENT,
                "ssh -o KeepAlives=yes deploy@127.0.0.1",
                "a configuration option ssh does not have",
            ),
            case("ssh-key", MISSING_FILE, "ssh-keygen -l -f ~/.ssh/id_deploy", "the key file is not there"),
            case(
                "ssh-ok",
                BENIGN,
                "ssh-keygen -q -t ed25519 -N '' -C ci -f key && wc -l < key.pub && ssh -G \
                 127.0.0.1 | grep -E 'timeout|attempts|batch|failure'",
                "a key is made and settings are shown",
            ),
        ],
    },
    Tool {
        name: "openssl",
        language: None,
        needs: &["openssl"],
        cases: &[
            case(
                "openssl-refused",
                CONNECTION,
                "openssl s_client -connect 127.0.0.1:$CLOSED_PORT",
                "nothing listens on the port",
            ),
            case(
                "openssl-verify",
                UNTRUSTED,
                "openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 1 \
                 -subj /CN=ci.test 2>/dev/null; openssl verify c.pem",
                "a certificate nobody signed",
            ),
            case(
                "openssl-pem",
                BAD_FORMAT,
                "openssl x509 -in server.crt -noout -subject",
                "the file is not a certificate",
            )
            .files(&[("server.crt", "not a certificate\n")]),
            case(
                "openssl-missing",
                MISSING_FILE,
                "openssl rsa -in ./tls/server.key -check",
                "the key file is not there",
            ),
            case("openssl-ok", BENIGN, "echo 'error handling' > a && openssl dgst -sha256 a", "a digest is printed"),
        ],
    },
];
