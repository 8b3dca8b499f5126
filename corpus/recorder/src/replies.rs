//! The HTTP replies of the loopback server, by the first segment of the path.
//!
//! In: a status (`/503/...`), `ok` or a name from `NAMED`. Out: status line, headers and body. The bodies follow the
//! documented error formats of the providers (OpenAI, Anthropic, Gemini, Kubernetes, AWS), with keys in the documented
//! order, because clients print them verbatim.
//!
//! What is no reply at all (reset, stalled and cut connections) is in `server`. To provoke another API error, add a row to
//! `NAMED`; a provider with a format of its own is a variant of `Body`.

use serde_json::json;

/// An HTTP answer.
pub struct Reply {
    status: u16,
    headers: &'static [(&'static str, &'static str)],
    body: String,
}

/// A plain answer with this status, and the headers a well-behaved server would add.
pub fn status(status: u16) -> Reply {
    let headers: &[_] = match status {
        401 => &[("WWW-Authenticate", "Basic realm=\"packages\"")],
        407 => &[("Proxy-Authenticate", "Basic realm=\"egress\"")],
        429 => &[("Retry-After", "1")],
        _ => &[],
    };
    Reply { status, headers, body: format!("{status} {}\n", reason(status)) }
}

/// A success that echoes what was asked for.
pub fn ok(rest: &str) -> Reply {
    Reply { status: 200, headers: &[], body: format!("ok {rest}\n") }
}

/// The reply for a first path segment; an unknown one is 404.
pub fn named(behaviour: &str, rest: &str) -> Reply {
    if behaviour == "ok" {
        return ok(rest);
    }
    if let Ok(code) = behaviour.parse() {
        return status(code);
    }
    match NAMED.iter().find(|(name, ..)| *name == behaviour) {
        Some(&(_, status, headers, ref body)) => Reply { status, headers, body: body.text(status) },
        None => status(404),
    }
}

/// Whether a first path segment has an answer of its own.
#[cfg(test)]
pub fn is_known(behaviour: &str) -> bool {
    behaviour == "ok" || behaviour.parse::<u16>().is_ok() || NAMED.iter().any(|(name, ..)| *name == behaviour)
}

impl Reply {
    /// The bytes on the wire; without the body for `HEAD`.
    pub fn to_http(&self, head_only: bool) -> String {
        let kind = match self.body.trim_start().as_bytes().first() {
            Some(b'{' | b'[') => "application/json",
            Some(b'<') => "text/html",
            _ => "text/plain",
        };
        let mut http = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        http += &format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", self.body.len());
        for (name, value) in self.headers {
            http += &format!("{name}: {value}\r\n");
        }
        http += "\r\n";
        if !head_only {
            http += &self.body;
        }
        http
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        407 => "Proxy Authentication Required",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => "Unknown",
    }
}

/// A body, in the shape its provider documents.
enum Body {
    Text(&'static str),
    OpenAi { kind: &'static str, code: Option<&'static str>, message: &'static str },
    OpenAiAnswer(&'static str),
    Anthropic { kind: &'static str, message: &'static str },
    AnthropicAnswer(&'static str),
    Gemini { status: &'static str, message: &'static str },
    Kubernetes { reason: &'static str, message: &'static str },
    Aws { code: &'static str, message: &'static str },
}

impl Body {
    /// The body as sent. Keys are in the documented order, which a map would lose.
    fn text(&self, http_status: u16) -> String {
        match *self {
            Self::Text(text) => text.to_owned(),
            Self::OpenAi { kind, code, message } => format!(
                r#"{{"error":{{"message":{},"type":{},"param":null,"code":{}}}}}"#,
                json!(message),
                json!(kind),
                json!(code)
            ),
            Self::OpenAiAnswer(text) => format!(
                concat!(
                    r#"{{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-4o","#,
                    r#""choices":[{{"index":0,"message":{{"role":"assistant","content":{}}},"#,
                    r#""finish_reason":"stop"}}]}}"#
                ),
                json!(text)
            ),
            Self::Anthropic { kind, message } => format!(
                r#"{{"type":"error","error":{{"type":{},"message":{}}},"request_id":"req_example"}}"#,
                json!(kind),
                json!(message)
            ),
            Self::AnthropicAnswer(text) => format!(
                concat!(
                    r#"{{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":"#,
                    r#"[{{"type":"text","text":{}}}],"stop_reason":"end_turn","#,
                    r#""usage":{{"input_tokens":10,"output_tokens":24}}}}"#
                ),
                json!(text)
            ),
            Self::Gemini { status, message } => format!(
                r#"{{"error":{{"code":{http_status},"message":{},"status":{}}}}}"#,
                json!(message),
                json!(status)
            ),
            Self::Kubernetes { reason, message } => format!(
                concat!(
                    r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure","#,
                    r#""message":{},"reason":{},"code":{}}}"#
                ),
                json!(message),
                json!(reason),
                http_status
            ),
            Self::Aws { code, message } => format!(
                "<ErrorResponse><Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error>\
                 <RequestId>example</RequestId></ErrorResponse>"
            ),
        }
    }
}

type Row = (&'static str, u16, &'static [(&'static str, &'static str)], Body);

/// Answers with a body of their own: name, status, headers, body.
#[rustfmt::skip]
const NAMED: &[Row] = &[
    ("html", 200, &[], Body::Text("<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body></body></html>\n")),
    ("json", 200, &[], Body::Text(r#"{"status":"ok","failed":0,"errors":[],"message":"no error"}"#)),
    ("gateway", 502, &[], Body::Text("<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\
        <center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>\r\n</html>\r\n")),

    ("openai-rate", 429, &[("retry-after", "8"), ("x-ratelimit-remaining-tokens", "0")], Body::OpenAi {
        kind: "tokens", code: Some("rate_limit_exceeded"),
        message: "Rate limit reached for gpt-4o in organization org-example on tokens per min (TPM): Limit 30000, \
            Used 28731, Requested 5120. Please try again in 7.702s. Visit \
            https://platform.openai.com/account/rate-limits to learn more." }),
    ("openai-quota", 429, &[], Body::OpenAi { kind: "insufficient_quota", code: Some("insufficient_quota"),
        message: "You exceeded your current quota, please check your plan and billing details. For more information \
            on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors." }),
    ("openai-context", 400, &[], Body::OpenAi { kind: "invalid_request_error", code: Some("context_length_exceeded"),
        message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 131842 \
            tokens. Please reduce the length of the messages." }),
    ("openai-key", 401, &[], Body::OpenAi { kind: "invalid_request_error", code: Some("invalid_api_key"),
        message: "Incorrect API key provided: not-a-***. You can find your API key at \
            https://platform.openai.com/account/api-keys." }),
    ("openai-model", 404, &[], Body::OpenAi { kind: "invalid_request_error", code: Some("model_not_found"),
        message: "The model `gpt-9` does not exist or you do not have access to it." }),
    ("openai-parameter", 400, &[], Body::OpenAi { kind: "invalid_request_error", code: Some("unsupported_parameter"),
        message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
            'max_completion_tokens' instead." }),
    ("openai-server", 500, &[], Body::OpenAi { kind: "server_error", code: None,
        message: "The server had an error while processing your request. Sorry about that!" }),
    ("openai-overloaded", 503, &[], Body::OpenAi { kind: "server_error", code: None,
        message: "The engine is currently overloaded, please try again later" }),
    ("openai-chat", 200, &[], Body::OpenAiAnswer(
        "A 429 means rate limit exceeded: wait and try again. A 401 means the API key is wrong.")),

    ("anthropic-rate", 429, &[("retry-after", "12")], Body::Anthropic { kind: "rate_limit_error",
        message: "This request would exceed your organization's rate limit of 40,000 input tokens per minute. For \
            details, refer to: https://docs.anthropic.com/en/api/rate-limits." }),
    ("anthropic-overloaded", 529, &[], Body::Anthropic { kind: "overloaded_error", message: "Overloaded" }),
    ("anthropic-context", 400, &[], Body::Anthropic { kind: "invalid_request_error",
        message: "prompt is too long: 207114 tokens > 200000 maximum" }),
    ("anthropic-window", 400, &[], Body::Anthropic { kind: "invalid_request_error",
        message: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length \
            or `max_tokens` and try again" }),
    ("anthropic-key", 401, &[], Body::Anthropic { kind: "authentication_error", message: "invalid x-api-key" }),
    ("anthropic-credit", 400, &[], Body::Anthropic { kind: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade \
            or purchase credits." }),
    ("anthropic-model", 404, &[], Body::Anthropic { kind: "not_found_error", message: "model: claude-nonexistent" }),
    ("anthropic-server", 500, &[], Body::Anthropic { kind: "api_error", message: "Internal server error" }),
    ("anthropic-chat", 200, &[], Body::AnthropicAnswer(
        "The build failed earlier because of a connection timeout; after the retry all tests passed, 0 failed.")),

    ("gemini-quota", 429, &[], Body::Gemini { status: "RESOURCE_EXHAUSTED",
        message: "Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, \
            limit: 250. You exceeded your current quota, please check your plan and billing details." }),
    ("gemini-overloaded", 503, &[], Body::Gemini { status: "UNAVAILABLE",
        message: "The model is overloaded. Please try again later." }),
    ("gemini-context", 400, &[], Body::Gemini { status: "INVALID_ARGUMENT",
        message: "The input token count (1129443) exceeds the maximum number of tokens allowed (1048576)." }),
    ("gemini-key", 400, &[], Body::Gemini { status: "INVALID_ARGUMENT",
        message: "API key not valid. Please pass a valid API key." }),

    ("kube-forbidden", 403, &[], Body::Kubernetes { reason: "Forbidden",
        message: "pods is forbidden: User \"ci\" cannot list resource \"pods\" in API group \"\" in the namespace \
            \"prod\"" }),
    ("kube-missing", 404, &[], Body::Kubernetes { reason: "NotFound", message: "deployments.apps \"web\" not found" }),
    ("kube-busy", 429, &[("Retry-After", "1")], Body::Kubernetes { reason: "TooManyRequests",
        message: "Too many requests, please try again later." }),

    ("aws-throttle", 400, &[], Body::Aws { code: "Throttling", message: "Rate exceeded" }),
    ("aws-expired", 403, &[], Body::Aws { code: "ExpiredToken",
        message: "The security token included in the request is expired" }),
    ("aws-denied", 403, &[], Body::Aws { code: "AccessDenied",
        message: "User: arn:aws:iam::000000000000:user/ci is not authorized to perform: sts:GetCallerIdentity" }),
];
