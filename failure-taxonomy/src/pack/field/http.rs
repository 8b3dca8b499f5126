//! HTTP status codes, however they are printed. A bare number is never enough: `:429:` is a line number.

use super::{Row, decisive};
use recovery_types::ErrorType::{
    FileNotFound, InvalidArgument, MissingCredentials, NetworkTimeout, PermissionDenied, QuotaExhausted, RateLimit,
    ServiceUnavailable,
};

/// A place where a status code is told, and the code; never a count, a size, a line or an exit status.
macro_rules! status {
    ($code:literal) => {
        concat!(
            r"(?i)(?:",
            r"(?:^|[^t] |[\x22'(\[_.{,:])status(?:[ _-]?code)?[\x22']?(?: is| of)?\s?[:=(]?\s?[\x22']?",
            r"|\bhttps?(?:/[\d.]+|[ _-]?error|[ _-]status(?:[ _-]code)?| code| response(?: code)?)?[ :=(]{1,3}",
            r"|\breturn(?:ed|s|ing)? (?:an? )?(?:http )?(?:error|code|status|response)(?: code)?:? ?",
            r"|\breturn(?:ed|s|ing)? an? ",
            r"|\b\w*error(?: code)?(?:: ?| ?\(| )",
            r"|\b(?:unexpected (?:\w+ )?|http |server )?response(?: code| status)?(?: is| was|:|=)? ?",
            r"|\b(?:get|post|put|patch|head|delete) https?://\S+ (?:-|->|=>|failed with|failed:|resulted in) ?(?:http )?",
            r"|(?:^|[.;,] )code: ",
            r")",
            $code,
            r"(?:$|[^\w ]| [^a-z]| (?:too|for|from|error|while|when|at|service|bad|gateway|internal|not|forbidden|unauth|response|status)\b| (?-i:[A-Z][A-Z]+_))"
        )
    };
}

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // The reason phrase beside its code
    decisive("http.429-phrase", "429", RateLimit, "HTTP/1.1 429 Too Many Requests", "src/x.rs:429:7").word().pattern(r"(?i)\b429\b[:;,)-]? ?-? ?[(\x22]?(?:too many requests|client error|\[?too many|rate limit|resource)"),
    decisive("http.too-many-requests", "too many requests", RateLimit, "error: Too Many Requests", "too many requestors").pattern(r"(?i)\btoo many requests\b"),
    decisive("http.503-phrase", "503", ServiceUnavailable, "503 Service Unavailable", "line 503 services").word().pattern(r"(?i)\b503\b[:;,)-]? ?-? ?[(\x22]?(?:\[?service (?:temporarily )?unavailable|server error|backend fetch|first byte)"),
    decisive("http.502-phrase", "502", ServiceUnavailable, "502 Bad Gateway", "502 files").word().pattern(r"(?i)\b502\b[:;,)-]? ?-? ?[(\x22]?(?:\[?bad gateway|server error)"),
    decisive("http.504-phrase", "504", ServiceUnavailable, "504 Gateway Timeout", "504 files").word().pattern(r"(?i)\b504\b[:;,)-]? ?-? ?[(\x22]?(?:\[?gateway time-?out|server error)"),
    decisive("http.500-phrase", "500", ServiceUnavailable, "500 Internal Server Error", "500 internal files").word().pattern(r"(?i)\b500\b[:;,)-]? ?-? ?[(\x22]?(?:\[?internal server error|server error)"),
    decisive("http.529-phrase", "529", ServiceUnavailable, "529 Site is overloaded", "529 files").word().pattern(r"(?i)\b529\b.{0,30}overloaded"),
    decisive("http.401-phrase", "401", MissingCredentials, "401 Client Error: Unauthorized for url", "401 files").word().pattern(r"(?i)\b401\b[:;,)-]? ?-? ?[(\x22]?(?:\[?unauthorized|client error|authorization required|authentication)"),
    decisive("http.403-phrase", "403", PermissionDenied, "403 Forbidden", "403 files").word().pattern(r"(?i)\b403\b[:;,)-]? ?-? ?[(\x22]?(?:\[?forbidden|client error)"),
    decisive("http.404-phrase", "404", FileNotFound, "404 Not Found", "404 files").word().pattern(r"(?i)\b404\b[:;,)-]? ?-? ?[(\x22]?(?:\[?not found|client error)"),
    decisive("http.408-phrase", "408", NetworkTimeout, "408 Request Timeout", "408 files").word().pattern(r"(?i)\b408\b[:;,)-]? ?-? ?[(\x22]?(?:\[?request time-?out)"),
    decisive("http.407-phrase", "407", MissingCredentials, "curl: (56) CONNECT tunnel failed, response 407", "407 files").word().pattern(r"(?i)\b(?:response|error:) 407\b|\b407 proxy authentication"),
    decisive("http.too-many-5xx", "error responses", ServiceUnavailable, "(Caused by ResponseError('too many 503 error responses'))", "error responses").pattern(r"too many 5\d\d error responses"),
    decisive("http.too-many-429", "error responses", RateLimit, "(Caused by ResponseError('too many 429 error responses'))", "error responses").pattern(r"too many 429 error responses"),
    decisive("http.400-phrase", "400", InvalidArgument, "400 Client Error: Bad Request for url", "400 files").word().pattern(r"(?i)\b400\b[:;,)-]? ?-? ?[(\x22]?(?:\[?bad request|client error)"),
    decisive("http.413-phrase", "413", InvalidArgument, "413 Request Entity Too Large", "413 files").word().pattern(r"(?i)\b413\b[:;,)-]? ?-? ?[(\x22]?(?:\[?request entity|payload|content too large)"),
    decisive("http.unavailable-phrase", "service unavailable", ServiceUnavailable, "upstream says: Service Unavailable", "the service is unavailable code").pattern(r"(?i)(?:^|[:>\])-] ?|503 |error |the )service (?:temporarily )?unavailable\b|\bservice is (?:temporarily |currently )?unavailable\b"),
    decisive("http.temporarily-unavailable", "temporarily unavailable", ServiceUnavailable, "The server is temporarily unavailable", "Resource temporarily unavailable").pattern(r"(?i)\b(?:service|server|site|api|registry|host|page|model|website|endpoint)\b.{0,40} temporarily unavailable"),
    decisive("http.bad-gateway", "bad gateway", ServiceUnavailable, "error: Bad Gateway", "a bad gateways"). word(),
    decisive("http.gateway-timeout", "gateway time", ServiceUnavailable, "upstream: Gateway Timeout", "gateway times").pattern(r"(?i)\bgateway time-?d? ?out\b"),
    decisive("http.internal-server-error", "internal server error", ServiceUnavailable, "Internal Server Error", "internals of the server error log").word(),
    decisive("http.may-be-down", "may be down", ServiceUnavailable, "The registry may be down.", "may be downloaded").pattern(r"(?i)\b(?:registry|server|service|site|api) (?:may|might) be down\b"),
    decisive("http.server-overloaded", "overloaded", ServiceUnavailable, "The engine is currently overloaded, please try again later", "the overloaded operator").pattern(r#"(?i)\b(?:model|server|engine|service|api|provider)s?\b.{0,40}\boverloaded\b|\b(?:system|site|we)\b.{0,40} (?:is|are) (?:\w+ )?overloaded|\boverloaded with (?:other )?requests|"overloaded"|(?:^|: )overloaded[.!]?$|\b529\b"#),

    // The code where a status is told: status code: 503, HTTP/1.1 503, returned error: 503, Error 503.
    decisive("http.429", "429", RateLimit, "request failed with status code 429", "exit status 429").word().pattern(status!("429")),
    decisive("http.500", "500", ServiceUnavailable, "request failed with status code 500", "exit status 500").word().pattern(status!("500")),
    decisive("http.502", "502", ServiceUnavailable, "request failed with status code 502", "exit status 502").word().pattern(status!("502")),
    decisive("http.503", "503", ServiceUnavailable, "request failed with status code 503", "exit status 503").word().pattern(status!("503")),
    decisive("http.504", "504", ServiceUnavailable, "request failed with status code 504", "exit status 504").word().pattern(status!("504")),
    decisive("http.520", "520", ServiceUnavailable, "request failed with status code 520", "exit status 520").word().pattern(status!("520")),
    decisive("http.522", "522", ServiceUnavailable, "request failed with status code 522", "exit status 522").word().pattern(status!("522")),
    decisive("http.529", "529", ServiceUnavailable, "request failed with status code 529", "exit status 529").word().pattern(status!("529")),
    decisive("http.408", "408", NetworkTimeout, "request failed with status code 408", "exit status 408").word().pattern(status!("408")),
    decisive("http.401", "401", MissingCredentials, "request failed with status code 401", "exit status 401").word().pattern(status!("401")),
    decisive("http.403", "403", PermissionDenied, "request failed with status code 403", "exit status 403").word().pattern(status!("403")),
    decisive("http.404", "404", FileNotFound, "request failed with status code 404", "exit status 404").word().pattern(status!("404")),
    decisive("http.json-5xx", "\"code\"", ServiceUnavailable, "{\"error\":{\"message\":\"Provider returned error\",\"code\":502}}", "{\"code\":500,\"items\":[]}").pattern(r#""error".*"code"\s*:\s*"?(?:50[0234]|529)\b|"code"\s*:\s*"?(?:50[0234]|529)"?\s*,.*"message""#),
    decisive("envoy.upstream", "upstream connect error or disconnect/reset before headers", ServiceUnavailable, "upstream connect error or disconnect/reset before headers. reset reason: overflow", "upstream connect").tool("envoy"),
    decisive("http.bare-429", "429", RateLimit, "429 Provider returned an error", "429 a.log").line_start().pattern(r"^429 (?:[A-Z{\x22]|status|from|\()"),
    decisive("http.bare-401", "401", MissingCredentials, "401 Missing a valid key", "401 a.log").line_start().pattern(r"^401 (?:[A-Z{\x22]|status|from|\()"),
    decisive("http.bare-402", "402", QuotaExhausted, "402 Top up first", "402 a.log").line_start().pattern(r"^402 (?:[A-Z{\x22]|status|from|\()"),
    decisive("http.bare-503", "503", ServiceUnavailable, "503 Try the other region", "503 a.log").line_start().pattern(r"^503 (?:[A-Z{\x22]|status|from|\()"),
    decisive("http.402", "402", QuotaExhausted, "request failed with status code 402", "exit status 402").word().pattern(status!("402")),
    decisive("http.400", "400", InvalidArgument, "request failed with status code 400", "exit status 400").word().pattern(status!("400")),
    decisive("http.422", "422", InvalidArgument, "request failed with status code 422", "exit status 422").word().pattern(status!("422")),
    decisive("http.detail-not-found", "\"not found\"", FileNotFound, "{\"detail\":\"Not Found\"}", "{\"name\":\"not found\"}").pattern(r#"(?i)"(?:detail|message|error)": ?"not found""#),
    decisive("http.retry-after", "retry-after", RateLimit, "Retry-After: 20", "the retry-after header").pattern(r"(?i)\bretry-after: ?\d"),
];
