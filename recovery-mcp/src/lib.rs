//! The MCP server: the official SDK on a single thread, for the stateless revision 2026-07-28 and for every older one
//! with its handshake. `tools.rs` has the tools; this file implements the protocol.
//!
//! The SDK is used without its macros: ten tools in one table need none, and the command starts for every hook, so
//! what is linked into it counts. The runtime exists only while the server runs.

mod tools;

pub use recovery_service::Setup;
use recovery_service::quote;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ClientJsonRpcMessage, ContentBlock,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, serve_server};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use tools::{TOOLS, Tools};

/// The longest message that is read: far above any output that an agent would hand over.
const MAX_LINE_BYTES: usize = 64 << 20;
/// For how long a client may keep the list of tools: it changes only with the program.
const LIST_CACHE_MS: u64 = 3_600_000;

const INSTRUCTIONS: &str = "Call classify_failure to see what kind of failure some output shows. Call decide_next_step \
    after each failed attempt at a task: it records the failure and says what to do next (retry, wait, change the \
    approach, hand over). Call record_outcome when an attempt worked, so that the task's escalation ends. Call \
    task_hints before you start on a task that failed before. A task is any name that stays the same between attempts.";

/// Serves standard input and output until the client closes them. Where the settings have a mistake, `setup` is its message,
/// and each call is answered with it: a server that does not start cannot report anything. `root` is where HEAD is looked up.
///
/// # Errors
/// Where the runtime cannot be started, or the client could not be understood.
pub fn serve(setup: Result<Setup, String>, root: PathBuf) -> Result<(), McpError> {
    let server = Server { tools: Tools { setup, root } };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let ended = runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio_pipes();
        let pipe = AsyncRwTransport::new_server(input, output).with_max_line_length(MAX_LINE_BYTES);
        match serve_server(server, Patient { inner: pipe, begun: false }).await {
            Ok(running) => {
                let _ = running.waiting().await;
                Ok(())
            }
            // The client left, or could not be understood: its own log has the details.
            Err(error) => Err(McpError::Handshake(error.to_string())),
        }
    });
    // A read that still blocks must not keep the process alive.
    runtime.shutdown_background();
    ended
}

/// Why the server ended before the client closed it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// The client left during the handshake, or could not be understood.
    #[error("{0}")]
    Handshake(String),
    /// The runtime could not be started.
    #[error(transparent)]
    Runtime(#[from] std::io::Error),
}

struct Server {
    tools: Tools,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("recovery", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(described).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(LIST_CACHE_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(row) = TOOLS.iter().find(|row| row.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|row| row.name).collect();
            let message = format!("there is no tool {:?}; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(quote::error(&message), None));
        };
        let mut arguments = serde_json::Value::Object(request.arguments.unwrap_or_default());
        recovery_engine::redact_json(&mut arguments);
        let called = std::panic::catch_unwind(AssertUnwindSafe(|| row.answer(&self.tools, arguments)));
        Ok(CallToolResponse::Complete(match called {
            Ok(Ok(answer)) => CallToolResult::structured(answer),
            Ok(Err(error)) => failed(&format!("{error:#}")),
            Err(_) => failed("this is a bug in recovery; the server goes on, other calls still work"),
        }))
    }
}

fn failed(message: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(quote::error(message))])
}

fn described(row: &tools::Row) -> Tool {
    let annotations = ToolAnnotations::with_title(row.title)
        .read_only(row.reads_only)
        .destructive(false)
        // Each proposal spends some of the task's budget; everything else counts a repeated call once.
        .idempotent(row.name != "repair_task")
        .open_world(false);
    Tool::new(row.name, row.description, Arc::new((row.input)()))
        .with_title(row.title)
        .with_raw_output_schema(Arc::new((row.output)()))
        .with_annotations(annotations)
}

/// Lets nothing but a request open the conversation: the SDK gives up on a client that begins with anything else.
struct Patient<T> {
    inner: T,
    begun: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            self.begun |= matches!(message, ClientJsonRpcMessage::Request(_));
            if self.begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
