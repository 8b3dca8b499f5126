//! A model that follows a script, over HTTP on loopback, in the four protocols that the clients use.
//!
//! In: a list of steps. Out: for each request a tool call for the next step, as long as fewer tool results than steps have
//! come back, then a final message; and the requests that were received, which the scenarios check for advice.
//!
//! The protocol is recognised by the path: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini
//! `generateContent`. The state is the conversation itself: a request that is sent again gets the same reply. Tools are
//! found by name among those that the client offers (`SHELLS`, `WRITERS`, `DELEGATES`): a client that renames a tool needs
//! an entry there.

use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// The scripted model.
pub(super) struct Model {
    /// Where it listens.
    pub port: u16,
    requests: Arc<Mutex<Vec<Asked>>>,
}

/// One thing that the model asks for.
#[derive(Clone)]
pub(super) enum Step {
    /// A command in the shell.
    Run(String),
    /// A command that goes on in the background, where the client's shell can do that.
    Background(String),
    /// A file with some text, by the client's own tool for it.
    Write(String),
    /// A command that a sub-agent runs.
    Delegate(String),
    /// A call of the MCP server's one tool.
    Mcp,
}

/// How the prompt of a sub-agent begins; its command follows.
const DELEGATED: &str = "delegated: ";

/// A request of the conversation itself: not those for titles, token counts or lists of models.
#[derive(Clone)]
pub(super) struct Asked {
    /// How many results of tool calls it holds.
    pub results: usize,
    /// Everything that the model reads.
    pub text: String,
}

impl Model {
    /// Starts it with the steps to ask for; it lives as long as the process.
    pub fn start(script: Vec<Step>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on loopback")?;
        let port = listener.local_addr()?.port();
        let requests = Arc::<Mutex<Vec<Asked>>>::default();
        let (seen, script) = (Arc::clone(&requests), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, script) = (Arc::clone(&seen), Arc::clone(&script));
                std::thread::spawn(move || {
                    let _ = converse(&stream, &script, &seen);
                });
            }
        });
        Ok(Self { port, requests })
    }

    /// The conversation so far.
    pub fn requests(&self) -> Vec<Asked> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn converse(stream: &TcpStream, script: &[Step], seen: &Mutex<Vec<Asked>>) -> anyhow::Result<()> {
    let (path, body) = request(stream)?;
    let protocol = Protocol::of(&path);
    let reply = match protocol {
        Some(protocol) if protocol.delegated(&body).is_some() => {
            let command = protocol.delegated(&body).filter(|_| protocol.results(&body) == 0);
            protocol.reply(&body, 900, command.map(Step::Run).as_ref())
        }
        Some(protocol) if protocol.has_tools(&body) => {
            let results = protocol.results(&body);
            let text = body.to_string();
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(Asked { results, text });
            protocol.reply(&body, results, script.get(results))
        }
        Some(protocol) => protocol.reply(&body, 0, None),
        None => json!({"data": [], "models": [], "input_tokens": 1, "totalTokens": 1}).to_string(),
    };
    let kind = if reply.starts_with('{') { "application/json" } else { "text/event-stream" };
    let mut out = stream;
    write!(
        out,
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
        reply.len()
    )?;
    Ok(())
}

fn request(stream: &TcpStream) -> anyhow::Result<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        chunked |= header.starts_with("transfer-encoding:") && header.contains("chunked");
        if header.starts_with("expect:") {
            let mut out = stream;
            out.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let size = usize::from_str_radix(line.trim(), 16)?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk)?;
            if size == 0 {
                break;
            }
            body.extend_from_slice(&chunk[..size]);
        }
    } else {
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    }
    Ok((path, serde_json::from_slice(&body).unwrap_or_default()))
}

/// The clients' tools that run commands.
const SHELLS: [&str; 6] = ["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell"];
/// The clients' tools that write a new file.
const WRITERS: [&str; 4] = ["Write", "write_file", "write", "create"];
/// The clients' tools that hand work to a sub-agent.
const DELEGATES: [&str; 3] = ["Task", "Agent", "task"];
/// How the name of the MCP server's tool ends.
const MCP_TOOL: &str = "read_log";

#[derive(Clone, Copy)]
enum Protocol {
    Messages,
    Responses,
    Gemini { stream: bool },
    Chat,
}

impl Protocol {
    fn of(path: &str) -> Option<Self> {
        let route = path.split('?').next().unwrap_or_default();
        Some(match route {
            _ if route.ends_with("/messages") => Self::Messages,
            _ if route.ends_with("/responses") => Self::Responses,
            _ if route.ends_with(":streamGenerateContent") => Self::Gemini { stream: true },
            _ if route.ends_with(":generateContent") => Self::Gemini { stream: false },
            _ if route.ends_with("/chat/completions") => Self::Chat,
            _ => return None,
        })
    }

    fn has_tools(self, body: &Value) -> bool {
        self.tool(body, &SHELLS).is_some()
    }

    /// The client's tool among `known`.
    fn tool(self, body: &Value, known: &[&str]) -> Option<String> {
        let names = names(body.get("tools")?);
        known.iter().find(|name| names.contains(name)).map(|name| (*name).to_owned())
    }

    /// The command that a sub-agent was given: its conversation begins with it.
    fn delegated(self, body: &Value) -> Option<String> {
        let turns = ["messages", "input", "contents"].iter().find_map(|key| body.get(key)?.as_array())?;
        let is_user = |turn: &&Value| turn.get("role").and_then(Value::as_str) == Some("user");
        let text = turns.iter().find(is_user)?.to_string();
        let (_, command) = text.split_once(DELEGATED)?;
        Some(command.split(['"', '\\']).next()?.to_owned())
    }

    /// How many tool calls have been answered.
    fn results(self, body: &Value) -> usize {
        let list = |key: &str| body.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let has_type = |item: &Value, wanted: &str| item.get("type").and_then(Value::as_str) == Some(wanted);
        match self {
            Self::Messages => list("messages")
                .iter()
                .filter_map(|message| message.get("content")?.as_array())
                .flatten()
                .filter(|block| has_type(block, "tool_result"))
                .count(),
            Self::Responses => list("input").iter().filter(|item| has_type(item, "function_call_output")).count(),
            Self::Gemini { .. } => list("contents")
                .iter()
                .filter_map(|content| content.get("parts")?.as_array())
                .flatten()
                .filter(|part| part.get("functionResponse").is_some())
                .count(),
            Self::Chat => {
                let is_tool = |m: &&Value| m.get("role").and_then(Value::as_str) == Some("tool");
                list("messages").iter().filter(is_tool).count()
            }
        }
    }

    /// The model's reply: a call of a tool, or that it is done.
    fn reply(self, body: &Value, number: usize, step: Option<&Step>) -> String {
        let call = step.and_then(|step| {
            let (tool, arguments) = match step {
                Step::Run(command) | Step::Background(command) => {
                    let shell = self.tool(body, &SHELLS)?;
                    let arguments = match shell.as_str() {
                        "exec_command" => json!({"cmd": command}),
                        "shell" => json!({"command": ["sh", "-c", command]}),
                        "Bash" if matches!(step, Step::Background(_)) => {
                            json!({"command": command, "description": "Run the check", "run_in_background": true})
                        }
                        _ => json!({"command": command, "description": "Run the check"}),
                    };
                    (shell, arguments)
                }
                Step::Write(path) => {
                    let writer = self.tool(body, &WRITERS)?;
                    let arguments = match writer.as_str() {
                        "write" => json!({"filePath": path, "content": "mended\n"}),
                        "create" => json!({"path": path, "file_text": "mended\n"}),
                        _ => json!({"file_path": path, "content": "mended\n"}),
                    };
                    (writer, arguments)
                }
                Step::Delegate(command) => {
                    let delegate = self.tool(body, &DELEGATES)?;
                    let prompt = format!("{DELEGATED}{command}");
                    let arguments = match delegate.as_str() {
                        // OpenCode and Copilot have a tool of the same name; each ignores what the other wants.
                        "task" => json!({"description": "Fix it", "prompt": prompt, "subagent_type": "general",
                            "agent_type": "general-purpose", "name": "fixer", "mode": "sync"}),
                        _ => json!({"description": "Fix it", "prompt": prompt, "subagent_type": "general-purpose"}),
                    };
                    (delegate, arguments)
                }
                Step::Mcp => {
                    let names = names(body.get("tools")?);
                    (names.into_iter().find(|name| name.ends_with(MCP_TOOL))?.to_owned(), json!({}))
                }
            };
            Some(Call { id: format!("call_{number:03}"), tool, arguments })
        });
        let stream = body.get("stream").and_then(Value::as_bool).unwrap_or(false);
        match self {
            Self::Messages => messages(call, stream),
            Self::Responses => responses(call, number),
            Self::Gemini { stream } => gemini(call, wanted_object(body), stream),
            Self::Chat => chat(call, stream),
        }
    }
}

/// The names of all tools, those in groups included.
fn names(tools: &Value) -> Vec<&str> {
    let Some(tools) = tools.as_array() else { return Vec::new() };
    let mut all = Vec::new();
    for tool in tools {
        let own = tool.get("name").or_else(|| tool.get("function")?.get("name")).and_then(Value::as_str);
        all.extend(own);
        for key in ["functionDeclarations", "tools"] {
            all.extend(tool.get(key).map(names).unwrap_or_default());
        }
    }
    all
}

struct Call {
    id: String,
    tool: String,
    arguments: Value,
}

const DONE: &str = "Done.";

/// Server-sent events, each with its type as its name.
fn events(all: &[Value], named: bool) -> String {
    let one = |event: &Value| {
        let name = event.get("type").and_then(Value::as_str).filter(|_| named);
        let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {event}\n\n")
    };
    all.iter().map(one).collect()
}

fn messages(call: Option<Call>, stream: bool) -> String {
    let reason = if call.is_some() { "tool_use" } else { "end_turn" };
    let (block, empty, delta) = match &call {
        Some(call) => (
            json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": call.arguments}),
            json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": call.arguments.to_string()}),
        ),
        None => (
            json!({"type": "text", "text": DONE}),
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": DONE}),
        ),
    };
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let mut message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
        "content": [block], "stop_reason": reason, "stop_sequence": null, "usage": usage});
    if !stream {
        return message.to_string();
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    events(
        &[
            json!({"type": "message_start", "message": message}),
            json!({"type": "content_block_start", "index": 0, "content_block": empty}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": usage}),
            json!({"type": "message_stop"}),
        ],
        true,
    )
}

fn responses(call: Option<Call>, number: usize) -> String {
    let item = match call {
        Some(call) => json!({"type": "function_call", "id": format!("fc_{number}"), "call_id": call.id,
            "name": call.tool, "arguments": call.arguments.to_string()}),
        None => json!({"type": "message", "id": "msg_1", "role": "assistant",
            "content": [{"type": "output_text", "text": DONE}]}),
    };
    let usage = json!({"input_tokens": 1, "input_tokens_details": null, "output_tokens": 1,
        "output_tokens_details": null, "total_tokens": 2});
    events(
        &[
            json!({"type": "response.created", "response": {"id": format!("resp_{number}")}}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": {"id": format!("resp_{number}"), "usage": usage}}),
        ],
        true,
    )
}

/// The emptiest object of the response schema in the request. Gemini checks in this way, after 30 turns, whether
/// the model is going in circles, and repeats the request for as long as the answer cannot be parsed.
fn wanted_object(body: &Value) -> Option<Value> {
    let config = body.get("generationConfig")?;
    let schema = config.get("responseJsonSchema").or_else(|| config.get("responseSchema"))?;
    let empty = |schema: &Value| match schema.get("type").and_then(Value::as_str).unwrap_or_default() {
        kind if kind.eq_ignore_ascii_case("number") || kind.eq_ignore_ascii_case("integer") => json!(0),
        kind if kind.eq_ignore_ascii_case("boolean") => json!(false),
        kind if kind.eq_ignore_ascii_case("array") => json!([]),
        kind if kind.eq_ignore_ascii_case("object") => json!({}),
        _ => json!(""),
    };
    let properties = schema.get("properties")?.as_object()?;
    Some(properties.iter().map(|(name, schema)| (name.clone(), empty(schema))).collect())
}

fn gemini(call: Option<Call>, object: Option<Value>, stream: bool) -> String {
    let part = match (call, object) {
        (Some(call), _) => json!({"functionCall": {"name": call.tool, "args": call.arguments}}),
        (None, Some(object)) => json!({"text": object.to_string()}),
        (None, None) => json!({"text": DONE}),
    };
    let reply = json!({"candidates": [{"index": 0, "finishReason": "STOP",
        "content": {"role": "model", "parts": [part]}}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}});
    if stream { events(&[reply], false) } else { reply.to_string() }
}

fn chat(call: Option<Call>, stream: bool) -> String {
    let reason = if call.is_some() { "tool_calls" } else { "stop" };
    let message = match call {
        Some(call) => json!({"role": "assistant", "content": null, "tool_calls": [{"index": 0, "id": call.id,
            "type": "function", "function": {"name": call.tool, "arguments": call.arguments.to_string()}}]}),
        None => json!({"role": "assistant", "content": DONE}),
    };
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
    if !stream {
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        return json!({"id": "c", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice],
            "usage": usage})
        .to_string();
    }
    let chunk = |delta: &Value, reason: Value, usage: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "usage": usage,
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
    };
    let chunks = [chunk(&message, Value::Null, Value::Null), chunk(&json!({}), json!(reason), usage)];
    format!("{}data: [DONE]\n\n", events(&chunks, false))
}
