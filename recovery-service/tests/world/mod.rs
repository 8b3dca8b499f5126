//! An agent's session against the hook: payloads in the shape of each client, a clock that the test moves.

use recovery_agents::Agent;
use recovery_engine::{Engine, PackName};
use recovery_service::hook::{HookError, Project, Settings, answer};
use recovery_types::Timestamp;
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::PathBuf;

/// A small generator: the same seed gives the same session.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// The agents whose calls are imitated.
pub struct Agents;

impl Agents {
    pub const ALL: [Agent; 6] =
        [Agent::ClaudeCode, Agent::Gemini, Agent::Copilot, Agent::OpenCode, Agent::Codex, Agent::Cursor];
}

/// What an agent does.
pub enum Step<'a> {
    Fail(&'a str, i64, &'a str),
    Pass(&'a str, &'a str),
    Background(&'a str),
    /// Tool, what it is given, whether it works, what it says.
    Tool(&'a str, Value, bool, &'a str),
    /// A failed shell call with all its arguments.
    Call(Value, i64, &'a str),
}

pub struct Session {
    pub agent: Agent,
    pub calls: u32,
    pub denials: Vec<String>,
    pub dir: tempfile::TempDir,
    now: Cell<i64>,
    number: u32,
    pub settings: Settings,
    pub run_task: Option<String>,
    /// The hook's last answer.
    pub told: Option<String>,
    pub sub_agent: Option<&'static str>,
    pub session: &'static str,
    /// Where the agent has gone to; none for the project's root.
    pub cwd: Option<PathBuf>,
    /// The journal's file, where it is not the project's own.
    pub store: Option<PathBuf>,
    /// What Codex's transcript has before each call's own lines.
    transcript: String,
}

impl Project for Session {
    fn root(&self) -> Result<PathBuf, HookError> {
        Ok(self.dir.path().to_path_buf())
    }
    fn store(&self) -> Result<recovery_store::Store, HookError> {
        match &self.store {
            Some(file) => Ok(recovery_store::Store::File(file.clone())),
            None => Ok(recovery_store::Store::Directory(self.state_dir()?)),
        }
    }

    fn state_dir(&self) -> Result<PathBuf, HookError> {
        Ok(self.dir.path().join(".recovery"))
    }
    fn notes_dir(&self) -> Result<PathBuf, HookError> {
        self.state_dir()
    }
    fn engine(&self) -> Result<Engine, HookError> {
        Ok(Engine::new(PackName::Field))
    }
    fn settings(&self) -> Result<Settings, HookError> {
        Ok(self.settings.clone())
    }
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.now.get())
    }
    fn zone(&self) -> Option<String> {
        None
    }
    fn head(&self) -> Option<String> {
        None
    }
    fn run_task(&self) -> Option<String> {
        self.run_task.clone()
    }
    fn start_from(&self, _: PathBuf) {}
}

impl Session {
    pub fn new(agent: Agent) -> Self {
        // In memory where that is possible: a journal waits for the disk at each record, and here are thousands.
        let memory = std::path::Path::new("/dev/shm");
        let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        // Later than every file, so that only what the session itself does is a change.
        let now = Cell::new(recovery_service::Clock::now(&recovery_service::SystemClock).ms() + 3_600_000);
        let settings = Settings { task: None };
        Self {
            agent,
            calls: 0,
            denials: Vec::new(),
            dir,
            now,
            number: 0,
            settings,
            run_task: None,
            told: None,
            sub_agent: None,
            session: "s-1",
            cwd: None,
            store: None,
            transcript: String::new(),
        }
    }

    pub fn wait_ms(&self, ms: i64) {
        self.now.set(self.now.get() + ms);
    }

    pub fn fail(&mut self, command: &str, code: i64, output: &str) -> bool {
        self.run(Step::Fail(command, code, output))
    }

    pub fn pass(&mut self, command: &str, output: &str) -> bool {
        self.run(Step::Pass(command, output))
    }

    pub fn fail_tool(&mut self, tool: &str, path: &str, error: &str) -> bool {
        self.run(Step::Tool(tool, json!({"file_path": path}), false, error))
    }

    pub fn pass_tool(&mut self, tool: &str, path: &str, output: &str) -> bool {
        self.run(Step::Tool(tool, json!({"file_path": path}), true, output))
    }

    /// Something that may make a difference, in one of the ways there are.
    pub fn change(&mut self, rng: &mut Rng) {
        match rng.below(5) {
            0 => self.pass("sed -i s/a/b/ src/a.rs", ""),
            1 => self.pass("apply_patch <<'E'\n*** Begin Patch\n*** End Patch\nE", "Done!"),
            2 => self.pass_tool("Edit", "/p/src/a.rs", "The file has been updated."),
            3 => self.run(Step::Tool("Task", json!({"prompt": "fix it"}), true, "fixed")),
            _ => self.pass_tool("Write", "/p/src/b.rs", "written"),
        };
    }

    /// Whether the call was allowed to run.
    pub fn run(&mut self, step: Step<'_>) -> bool {
        self.number += 1;
        self.calls += 1;
        self.wait_ms(2_000);
        let id = format!("call-{}", self.number);
        let (tool, input) = match &step {
            Step::Fail(command, ..) | Step::Pass(command, _) | Step::Background(command) => {
                (self.shell(), json!({"command": command}))
            }
            Step::Tool(tool, input, ..) => (*tool, input.clone()),
            Step::Call(input, ..) => (self.shell(), input.clone()),
        };
        let before = self.before(tool, &input, &id);
        if let Some(reason) = self.hook(&before).as_ref().and_then(denial) {
            self.denials.push(format!("{tool} {input}: {reason}"));
            return false;
        }
        self.wait_ms(1_500);
        let after = self.after(tool, &input, &id, &step);
        self.told =
            self.hook(&after).as_ref().and_then(|answer| recovery_agents::text_for_model(answer).map(str::to_owned));
        true
    }

    /// A command whose end is not reported: it goes on, or a person did not allow it.
    pub fn begin(&mut self, command: &str) {
        self.number += 1;
        self.calls += 1;
        self.wait_ms(2_000);
        let before = self.before(self.shell(), &json!({"command": command}), &format!("call-{}", self.number));
        if let Some(reason) = self.hook(&before).as_ref().and_then(denial) {
            self.denials.push(format!("{command}: {reason}"));
        }
    }

    /// Codex lets a command go on: only its transcript shows that.
    pub fn leave_running(&mut self, command: &str) {
        self.begin(command);
        let at = Timestamp::from_ms(self.now.get()).to_string();
        let call = json!({"timestamp": at, "payload": {"type": "function_call", "call_id": "left",
            "arguments": json!({"cmd": command}).to_string()}});
        let output = json!({"timestamp": at, "payload": {"type": "function_call_output", "call_id": "left",
            "output": "Process running with session ID 7\nOutput:\n"}});
        self.transcript = format!("{call}\n{output}\n");
    }

    pub fn hook(&self, payload: &Value) -> Option<Value> {
        answer(self.agent, payload.to_string().as_bytes(), self).unwrap()
    }

    fn cwd(&self) -> &std::path::Path {
        self.cwd.as_deref().unwrap_or(self.dir.path())
    }

    /// A person sends a message.
    pub fn prompt(&mut self) {
        self.wait_ms(1_000);
        let event = match self.agent {
            Agent::Gemini => "BeforeAgent",
            Agent::Cursor => "beforeSubmitPrompt",
            _ => "UserPromptSubmit",
        };
        self.hook(
            &json!({"hook_event_name": event, "hook": "chat.message", "session_id": self.session, "cwd": self.cwd(),
            "input": {"sessionID": self.session}, "prompt": "try again"}),
        );
    }

    /// A session begins.
    pub fn start(&mut self) {
        self.wait_ms(1_000);
        self.hook(
            &json!({"hook_event_name": if self.agent == Agent::Cursor { "sessionStart" } else { "SessionStart" }, "hook": "event", "session_id": self.session, "cwd": self.cwd(),
            "source": "startup", "event": {"type": "session.created", "properties": {"sessionID": self.session}}}),
        );
    }

    /// A person's editor, which triggers no hook.
    pub fn edit_by_hand(&mut self, path: &str) {
        self.wait_ms(1_000);
        let path = self.dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = std::fs::File::create(path).unwrap();
        let now = u64::try_from(self.now.get()).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_millis(now)).unwrap();
    }

    /// The agent has finished its message.
    pub fn stop(&mut self) -> Option<Value> {
        self.wait_ms(1_000);
        let event = match self.agent {
            Agent::Gemini => "AfterAgent",
            Agent::Cursor => "stop",
            _ => "Stop",
        };
        self.hook(&json!({"hook_event_name": event, "hook": "event", "session_id": self.session, "cwd": self.cwd(),
            "event": {"type": "session.idle", "properties": {"sessionID": self.session}}}))
    }

    fn shell(&self) -> &'static str {
        match self.agent {
            Agent::Gemini => "run_shell_command",
            Agent::OpenCode => "bash",
            Agent::Cursor => "Shell",
            _ => "Bash",
        }
    }

    fn before(&self, tool: &str, input: &Value, id: &str) -> Value {
        match self.agent {
            Agent::OpenCode => json!({"hook": "tool.execute.before", "directory": self.dir.path(),
                "input": {"tool": tool, "sessionID": self.session, "callID": id}, "output": {"args": input}}),
            Agent::Gemini => self.payload("BeforeTool", tool, input, id, json!({})),
            Agent::Cursor => self.payload("preToolUse", tool, input, id, json!({})),
            _ => self.payload("PreToolUse", tool, input, id, json!({})),
        }
    }

    fn after(&self, tool: &str, input: &Value, id: &str, step: &Step<'_>) -> Value {
        let (ok, code, text) = match step {
            Step::Fail(_, code, text) | Step::Call(_, code, text) => (false, *code, *text),
            Step::Pass(_, text) => (true, 0, *text),
            Step::Background(_) => (true, 0, ""),
            Step::Tool(_, _, ok, text) => (*ok, i64::from(!*ok), *text),
        };
        let is_shell = !matches!(step, Step::Tool(..));
        match self.agent {
            Agent::Cursor if is_shell || ok => {
                let output = json!({"exitCode": code, "stdout": text, "stderr": ""}).to_string();
                self.payload("postToolUse", tool, input, id, json!({"tool_output": output}))
            }
            Agent::Cursor => {
                let error = json!({"error_message": text, "failure_type": "error"});
                self.payload("postToolUseFailure", tool, input, id, error)
            }
            Agent::ClaudeCode => match (ok, is_shell) {
                (true, _) => {
                    let mut response = json!({"stdout": text, "stderr": "", "interrupted": false});
                    if matches!(step, Step::Background(_)) {
                        response["backgroundTaskId"] = json!("b1");
                    }
                    self.payload("PostToolUse", tool, input, id, json!({"tool_response": response}))
                }
                (false, true) => self.payload(
                    "PostToolUseFailure",
                    tool,
                    input,
                    id,
                    json!({"error": format!("Exit code {code}\n{text}"), "duration_ms": 1500}),
                ),
                (false, false) => self.payload("PostToolUseFailure", tool, input, id, json!({"error": text})),
            },
            Agent::Gemini => {
                let ending = if code == 0 { String::new() } else { format!("\nExit Code: {code}") };
                let shown = if text.is_empty() { "(empty)" } else { text };
                let content = format!(
                    "<untrusted_context>\nOutput: {shown}{ending}\nProcess Group PGID: 1\n</untrusted_context>"
                );
                let mut response = json!({"llmContent": content, "returnDisplay": text});
                if !is_shell {
                    response = json!({"llmContent": text, "returnDisplay": text});
                    if !ok {
                        response["error"] = json!({"message": text, "type": "execution_failed"});
                    }
                }
                self.payload("AfterTool", tool, input, id, json!({"tool_response": response}))
            }
            Agent::Copilot if is_shell => {
                let text = format!("{text}\n<shellId: 0 completed with exit code {code}>");
                self.payload(
                    "PostToolUse",
                    tool,
                    input,
                    id,
                    json!({"tool_result": {"result_type": "success", "text_result_for_llm": text}}),
                )
            }
            Agent::Copilot if ok => self.payload(
                "PostToolUse",
                tool,
                input,
                id,
                json!({"tool_result": {"result_type": "success", "text_result_for_llm": text}}),
            ),
            Agent::Copilot => self.payload("PostToolUseFailure", tool, input, id, json!({"error": text})),
            Agent::OpenCode if is_shell || ok => json!({"hook": "tool.execute.after", "directory": self.dir.path(),
                "input": {"tool": tool, "sessionID": self.session, "callID": id, "args": input},
                "output": {"title": "t", "output": text, "metadata": if is_shell { json!({"exit": code}) } else { json!({}) }}}),
            Agent::OpenCode => {
                json!({"hook": "event", "directory": self.dir.path(), "event": {"type": "message.part.updated",
                "properties": {"sessionID": self.session, "part": {"type": "tool", "callID": id, "tool": tool,
                "state": {"status": "error", "error": text, "input": input}}}}})
            }
            // Codex reports no failed call of another tool than its shell.
            Agent::Codex if !is_shell && !ok => json!({"hook_event_name": "Unknown"}),
            Agent::Codex => {
                let path = self.dir.path().join(".git/transcript.jsonl");
                let line = json!({"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "CommandExecution",
                    "id": id, "exit_code": code, "aggregated_output": text}}});
                std::fs::write(&path, format!("{}{line}\n", self.transcript)).unwrap();
                let response = if is_shell {
                    json!(text)
                } else {
                    json!({"content": [{"type": "text", "text": text}], "isError": false})
                };
                self.payload(
                    "PostToolUse",
                    tool,
                    input,
                    id,
                    json!({"tool_response": response, "transcript_path": path}),
                )
            }
        }
    }

    fn payload(&self, event: &str, tool: &str, input: &Value, id: &str, more: Value) -> Value {
        let mut payload = json!({"hook_event_name": event, "session_id": self.session, "cwd": self.cwd(), "tool_name": tool,
            "tool_input": input, "timestamp": self.now.get().to_string()});
        if !matches!(self.agent, Agent::Gemini | Agent::Copilot) {
            payload["tool_use_id"] = json!(id);
        }
        if let Some(sub_agent) = self.sub_agent {
            payload["agent_id"] = json!(sub_agent);
        }
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    }
}

/// The reason where an answer holds a call back.
fn denial(answer: &Value) -> Option<String> {
    let inner = answer.get("hookSpecificOutput").unwrap_or(answer);
    let denies = ["permissionDecision", "decision", "deny", "permission"]
        .iter()
        .any(|key| inner.get(key).is_some() || answer.get(key).is_some());
    denies.then(|| answer.to_string())
}
