//! What the loopback server answers, by name. Bodies follow the providers' documented error shapes.

/// An HTTP answer.
pub struct Reply {
    status: u16,
    headers: &'static [(&'static str, &'static str)],
    body: String,
}

/// A plain answer with this status, and the wait a well-behaved server would ask for.
pub fn status(status: u16) -> Reply {
    let headers: &[_] = match status {
        401 => &[("WWW-Authenticate", "Basic realm=\"packages\"")],
        407 => &[("Proxy-Authenticate", "Basic realm=\"egress\"")],
        429 => &[("Retry-After", "1")],
        _ => &[],
    };
    Reply { status, headers, body: format!("{} {}\n", status, reason(status)) }
}

/// A success that echoes what was asked for.
pub fn ok(rest: &str) -> Reply {
    Reply { status: 200, headers: &[], body: format!("ok {rest}\n") }
}

/// The answer a first path segment asks for; an unknown one is 404.
pub fn named(behaviour: &str, rest: &str) -> Reply {
    if behaviour == "ok" {
        return ok(rest);
    }
    if let Ok(code) = behaviour.parse() {
        return status(code);
    }
    NAMED.iter().find(|(name, ..)| *name == behaviour).map_or_else(
        || status(404),
        |&(_, status, headers, body)| Reply { status, headers, body: body.to_owned() },
    )
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
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        407 => "Proxy Authentication Required",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => "Unknown",
    }
}

type Row = (&'static str, u16, &'static [(&'static str, &'static str)], &'static str);

/// Answers with a body of their own: name, status, headers, body.
const NAMED: &[Row] = &[
    ("html", 200, &[], "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form></form></body></html>\n"),
    ("json", 200, &[], r#"{"status":"ok","failed":0,"errors":[],"message":"no error"}"#),
    ("gateway", 502, &[], "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>\r\n</html>\r\n"),
    // OpenAI
    ("openai-rate", 429, &[("retry-after", "8"), ("x-ratelimit-remaining-tokens", "0")], r#"{"error":{"message":"Rate limit reached for gpt-4o in organization org-example on tokens per min (TPM): Limit 30000, Used 28731, Requested 5120. Please try again in 7.702s. Visit https://platform.openai.com/account/rate-limits to learn more.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#),
    ("openai-quota", 429, &[], r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#),
    ("openai-context", 400, &[], r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 131842 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#),
    ("openai-key", 401, &[], r#"{"error":{"message":"Incorrect API key provided: sk-not-a**key. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#),
    ("openai-model", 404, &[], r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#),
    ("openai-parameter", 400, &[], r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#),
    ("openai-server", 500, &[], r#"{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}"#),
    ("openai-overloaded", 503, &[], r#"{"error":{"message":"The engine is currently overloaded, please try again later","type":"server_error","param":null,"code":null}}"#),
    ("openai-chat", 200, &[], r#"{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"message":{"role":"assistant","content":"A 429 means rate limit exceeded: wait and try again. A 401 means the API key is wrong."},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":20,"total_tokens":32}}"#),
    // Anthropic
    ("anthropic-rate", 429, &[("retry-after", "12")], r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute. For details, refer to: https://docs.anthropic.com/en/api/rate-limits."},"request_id":"req_example"}"#),
    ("anthropic-overloaded", 529, &[], r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_example"}"#),
    ("anthropic-context", 400, &[], r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 207114 tokens > 200000 maximum"},"request_id":"req_example"}"#),
    ("anthropic-window", 400, &[], r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"},"request_id":"req_example"}"#),
    ("anthropic-key", 401, &[], r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_example"}"#),
    ("anthropic-credit", 400, &[], r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."},"request_id":"req_example"}"#),
    ("anthropic-model", 404, &[], r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-nonexistent"},"request_id":"req_example"}"#),
    ("anthropic-server", 500, &[], r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"},"request_id":"req_example"}"#),
    ("anthropic-chat", 200, &[], r#"{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":[{"type":"text","text":"The build failed earlier because of a connection timeout; after the retry all tests passed, 0 failed."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":24}}"#),
    // Gemini
    ("gemini-quota", 429, &[], r#"{"error":{"code":429,"message":"Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 250. You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}"#),
    ("gemini-overloaded", 503, &[], r#"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#),
    ("gemini-context", 400, &[], r#"{"error":{"code":400,"message":"The input token count (1129443) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#),
    ("gemini-key", 400, &[], r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#),
    // Kubernetes
    ("kube-forbidden", 403, &[], r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods is forbidden: User \"ci\" cannot list resource \"pods\" in API group \"\" in the namespace \"prod\"","reason":"Forbidden","details":{"kind":"pods"},"code":403}"#),
    ("kube-missing", 404, &[], r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"deployments.apps \"web\" not found","reason":"NotFound","details":{"name":"web","group":"apps","kind":"deployments"},"code":404}"#),
    ("kube-busy", 429, &[("Retry-After", "1")], r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Too many requests, please try again later.","reason":"TooManyRequests","code":429}"#),
    // AWS (query protocol)
    ("aws-throttle", 400, &[], "<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error><RequestId>example</RequestId></ErrorResponse>"),
    ("aws-expired", 403, &[], "<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>The security token included in the request is expired</Message></Error><RequestId>example</RequestId></ErrorResponse>"),
    ("aws-denied", 403, &[], "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>User: arn:aws:iam::000000000000:user/ci is not authorized to perform: sts:GetCallerIdentity</Message></Error><RequestId>example</RequestId></ErrorResponse>"),
];
