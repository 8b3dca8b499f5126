//! HTTP status codes, however they are printed. A bare number is never enough: `:429:` is a line number.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{
    FileNotFound, InvalidArgument, MissingCredentials, NetworkTimeout, PermissionDenied, RateLimit, ServiceUnavailable,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // The reason phrase beside its code
    decisive("http.429-phrase", "429", RateLimit, "HTTP/1.1 429 Too Many Requests", "src/x.rs:429:7").pattern(r"(?i)\b429\b[:;,)-]? ?-? ?\(?(?:too many requests|client error|\[?too many|rate limit|resource)"),
    decisive("http.too-many-requests", "too many requests", RateLimit, "error: Too Many Requests", "too many requestors").pattern(r"(?i)\btoo many requests\b"),
    decisive("http.503-phrase", "503", ServiceUnavailable, "503 Service Unavailable", "line 503 services").pattern(r"(?i)\b503\b[:;,)-]? ?-? ?\(?(?:\[?service (?:temporarily )?unavailable|server error|backend fetch|first byte)"),
    decisive("http.502-phrase", "502", ServiceUnavailable, "502 Bad Gateway", "502 files").pattern(r"(?i)\b502\b[:;,)-]? ?-? ?\(?(?:\[?bad gateway|server error)"),
    decisive("http.504-phrase", "504", ServiceUnavailable, "504 Gateway Timeout", "504 files").pattern(r"(?i)\b504\b[:;,)-]? ?-? ?\(?(?:\[?gateway time-?out|server error)"),
    decisive("http.500-phrase", "500", ServiceUnavailable, "500 Internal Server Error", "500 internal files").pattern(r"(?i)\b500\b[:;,)-]? ?-? ?\(?(?:\[?internal server error|server error)"),
    decisive("http.529-phrase", "529", ServiceUnavailable, "529 Site is overloaded", "529 files").pattern(r"(?i)\b529\b.{0,30}overloaded"),
    decisive("http.401-phrase", "401", MissingCredentials, "401 Client Error: Unauthorized for url", "401 files").pattern(r"(?i)\b401\b[:;,)-]? ?-? ?\(?(?:\[?unauthorized|client error|authorization required|authentication)"),
    decisive("http.403-phrase", "403", PermissionDenied, "403 Forbidden", "403 files").pattern(r"(?i)\b403\b[:;,)-]? ?-? ?\(?(?:\[?forbidden|client error)"),
    decisive("http.404-phrase", "404", FileNotFound, "404 Not Found", "404 files").pattern(r"(?i)\b404\b[:;,)-]? ?-? ?\(?(?:\[?not found|client error)"),
    decisive("http.408-phrase", "408", NetworkTimeout, "408 Request Timeout", "408 files").pattern(r"(?i)\b408\b[:;,)-]? ?-? ?\(?(?:\[?request time-?out)"),
    decisive("http.407-phrase", "407", MissingCredentials, "curl: (56) CONNECT tunnel failed, response 407", "407 files").pattern(r"(?i)\b(?:response|error:) 407\b|\b407 proxy authentication"),
    decisive("http.too-many-5xx", "error responses", ServiceUnavailable, "(Caused by ResponseError('too many 503 error responses'))", "error responses").pattern(r"too many 5\d\d error responses"),
    decisive("http.too-many-429", "error responses", RateLimit, "(Caused by ResponseError('too many 429 error responses'))", "error responses").pattern(r"too many 429 error responses"),
    decisive("http.400-phrase", "400", InvalidArgument, "400 Client Error: Bad Request for url", "400 files").pattern(r"(?i)\b400\b[:;,)-]? ?-? ?\(?(?:\[?bad request|client error)"),
    decisive("http.413-phrase", "413", InvalidArgument, "413 Request Entity Too Large", "413 files").pattern(r"(?i)\b413\b[:;,)-]? ?-? ?\(?(?:\[?request entity|payload|content too large)"),
    decisive("http.unavailable-phrase", "service unavailable", ServiceUnavailable, "upstream says: Service Unavailable", "the service is unavailable code").pattern(r"(?i)(?:^|[:>\])-] ?|503 |error |the )service (?:temporarily )?unavailable\b|\bservice is (?:temporarily |currently )?unavailable\b"),
    decisive("http.temporarily-unavailable", "temporarily unavailable", ServiceUnavailable, "The server is temporarily unavailable", "Resource temporarily unavailable").pattern(r"(?i)\b(?:service|server|site|api|registry|host|page|model|website|endpoint)\b.{0,40} temporarily unavailable"),
    decisive("http.bad-gateway", "bad gateway", ServiceUnavailable, "error: Bad Gateway", "a bad gateways"). word(),
    decisive("http.gateway-timeout", "gateway time", ServiceUnavailable, "upstream: Gateway Timeout", "gateway times").pattern(r"(?i)\bgateway time-?d? ?out\b"),
    decisive("http.internal-server-error", "internal server error", ServiceUnavailable, "Internal Server Error", "internals of the server error log").word(),
    decisive("http.may-be-down", "may be down", ServiceUnavailable, "The registry may be down.", "may be downloaded").pattern(r"(?i)\b(?:registry|server|service|site|api) (?:may|might) be down\b"),
    decisive("http.server-overloaded", "overloaded", ServiceUnavailable, "The engine is currently overloaded, please try again later", "the overloaded operator").pattern(r"(?i)\b(?:server|engine|service|model|system|api|site|we)\b.{0,40} (?:is|are) (?:currently |temporarily )?overloaded|\boverloaded with (?:other )?requests"),

    // status 503, status code: 503, status=503
    decisive("http.status-429", "status", RateLimit, "request failed with status code 429", "status: 429 rows read").pattern(r#"(?i)\bstatus(?:[ _-]?code)?["']?(?: is| of)?\s?[:=(]?\s?["']?429\b(?: too many|["',.;:)\]}]|$|\s(?:[^a-z]|error|for|from|while|when|on|at|\())"#),
    decisive("http.status-5xx", "status", ServiceUnavailable, "unexpected status code 503", "exit status 503").pattern(r#"(?i)(?:^|[^t] |["'(\[_.{,:])status(?:[ _-]?code)?["']?(?: is| of)?\s?[:=(]?\s?["']?(?:50[0-4]|52[0-69])\b"#),
    decisive("http.status-408", "status", NetworkTimeout, "unexpected status code: 408", "exit status 408").pattern(r#"(?i)(?:^|[^t] |["'(\[_.{,:])status(?:[ _-]?code)?["']?(?: is| of)?\s?[:=(]?\s?["']?408\b"#),
    decisive("http.status-401", "status", MissingCredentials, "request failed with status code 401", "exit status 401").pattern(r#"(?i)(?:^|[^t] |["'(\[_.{,:])status(?:[ _-]?code)?["']?(?: is| of)?\s?[:=(]?\s?["']?401\b"#),
    decisive("http.status-403", "status", PermissionDenied, "request failed with status code 403", "exit status 403").pattern(r#"(?i)(?:^|[^t] |["'(\[_.{,:])status(?:[ _-]?code)?["']?(?: is| of)?\s?[:=(]?\s?["']?403\b"#),
    suggestive("http.status-404", "status", FileNotFound, "request failed with status code 404", "exit status 404").pattern(r#"(?i)(?:^|[^t] |["'(\[_.{,:])status(?:[ _-]?code)?["']?(?: is| of)?\s?[:=(]?\s?["']?404\b"#),

    // HTTP 503, HTTP/1.1 503, HTTP error 503
    decisive("http.code-429", "http", RateLimit, "Error: HTTP 429", "http://host/429").pattern(r"(?i)\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}429\b"),
    decisive("http.code-5xx", "http", ServiceUnavailable, "server answered HTTP 503", "http://host:503/").pattern(r"(?i)\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}(?:50[0-4]|52[0-69])\b"),
    decisive("http.code-408", "http", NetworkTimeout, "server answered HTTP 408", "http://host:408/").pattern(r"(?i)\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}408\b"),
    decisive("http.code-401", "http", MissingCredentials, "fatal: HTTP 401", "http://host:401/").pattern(r"(?i)\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}401\b"),
    decisive("http.code-403", "http", PermissionDenied, "remote: HTTP 403", "http://host:403/").pattern(r"(?i)\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}403\b"),
    decisive("http.code-404", "http", FileNotFound, "urllib.error.HTTPError: HTTP Error 404: Not Found", "http://host:404/").pattern(r"(?i)\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}404\b"),
    // returned error: 503, response code 503, error code 503, returned a 503
    decisive("http.returned-429", "return", RateLimit, "The requested URL returned error: 429", "returned 429 rows").pattern(r"(?i)\breturn(?:ed|s|ing)? (?:an? )?(?:http )?(?:error|code|status|response)?(?: code)?:? ?429(?:$|[^\w ]| (?:for|from|error))"),
    decisive("http.returned-5xx", "return", ServiceUnavailable, "The requested URL returned error: 503", "returned 503 rows").pattern(r"(?i)\breturn(?:ed|s|ing)? (?:an? )?(?:http )?(?:error|code|status|response)?(?: code)?:? ?50[0-4](?:$|[^\w ]| (?:for|from|error))"),
    decisive("http.returned-401", "return", MissingCredentials, "The requested URL returned error: 401", "returned 401 rows").pattern(r"(?i)\breturn(?:ed|s|ing)? (?:an? )?(?:http )?(?:error|code|status|response)?(?: code)?:? ?401(?:$|[^\w ]| (?:for|from|error))"),
    decisive("http.returned-403", "return", PermissionDenied, "The requested URL returned error: 403", "returned 403 rows").pattern(r"(?i)\breturn(?:ed|s|ing)? (?:an? )?(?:http )?(?:error|code|status|response)?(?: code)?:? ?403(?:$|[^\w ]| (?:for|from|error))"),
    decisive("http.returned-404", "return", FileNotFound, "The requested URL returned error: 404", "returned 404 rows").pattern(r"(?i)\breturn(?:ed|s|ing)? (?:an? )?(?:http )?(?:error|code|status|response)?(?: code)?:? ?404(?:$|[^\w ]| (?:for|from|error))"),
    decisive("http.error-429", "error", RateLimit, "ERROR 429: Too Many Requests.", "error on line 429").pattern(r"(?i)\berror(?: code)?[: (]{1,3}429\b"),
    decisive("http.error-5xx", "error", ServiceUnavailable, "ERROR 503: Service Unavailable.", "error 503 times").pattern(r"(?i)\berror(?: code)?[: (]{1,3}(?:50[0-4]|52[0-69])(?:$|[^\w ]| -|: )"),
    decisive("http.error-401", "error", MissingCredentials, "Error code: 401 - invalid key", "error 401 times").pattern(r"(?i)\berror(?: code)?[: (]{1,3}401(?:$|[^\w ]| -)"),
    decisive("http.error-403", "error", PermissionDenied, "ERROR 403: Forbidden.", "error 403 times").pattern(r"(?i)\berror(?: code)?[: (]{1,3}403(?:$|[^\w ]| -)"),
    decisive("http.error-404", "error", FileNotFound, "ERROR 404: Not Found.", "error 404 times").pattern(r"(?i)\berror(?: code)?[: (]{1,3}404(?:$|[^\w ]| -)"),
    decisive("http.retry-after", "retry-after", RateLimit, "Retry-After: 20", "the retry-after header").pattern(r"(?i)\bretry-after: ?\d"),
];
