//! Serves a scratch directory until standard input is closed: `cargo run --example server < /dev/null`.

use recovery_engine::{Engine, PackName};
use recovery_mcp::McpError;
use recovery_service::Setup;

fn main() -> Result<(), McpError> {
    let dir = std::env::temp_dir().join("recovery-mcp-example");
    let setup = Setup::new(Engine::new(PackName::Field).into(), dir.clone());
    match recovery_mcp::serve(Ok(setup), dir) {
        // Nobody was there.
        Err(McpError::Handshake(_)) => Ok(()),
        ended => ended,
    }
}
