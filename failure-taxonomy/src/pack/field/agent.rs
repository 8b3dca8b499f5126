//! The tools of coding agents: file edits, reads, patches, shells, MCP.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{
    ConnectionFailure, InvalidArgument, NetworkTimeout, Other, PermissionDenied, WrongOutputFormat,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("agent.edit-not-found", "string to replace not found", InvalidArgument, "String to replace not found in file.", "string replaced"),
    decisive("agent.edit-no-match", "old_str", InvalidArgument, "No replacement was performed, old_str `x` did not appear verbatim in a.py.", "old_str=1").pattern(r"(?i)did not appear verbatim|No replacement was performed|not unique|multiple occurrences"),
    decisive("agent.edit-old-string", "old_string", InvalidArgument, "old_string not found in content", "old_string=1").pattern(r"(?i)old_string.{0,60}(?:not found|multiple|identical|not unique|same as)|(?:could not|failed to) find.{0,30}old_string"),
    decisive("agent.edit-matches", "matches of the string to replace", InvalidArgument, "Found 3 matches of the string to replace, but replace_all is false.", "3 matches"),
    decisive("agent.edit-unique", "to match uniquely", InvalidArgument, "Provide more context to match uniquely.", "match unique"),
    decisive("agent.edit-same", "old_string and new_string are", InvalidArgument, "No changes to make: old_string and new_string are exactly the same.", "old_string"),
    decisive("agent.edit-search-block", "search/replace block", InvalidArgument, "# 2 SEARCH/REPLACE blocks failed to match!", "the SEARCH/REPLACE block was applied").pattern(r"blocks? failed to match"),
    decisive("agent.edit-exact", "could not find ", InvalidArgument, "Could not find oldString in the file. It must match exactly.", "could not find text").pattern(r"(?i)could not find (?:oldString|old_str\w*|the exact text) in "),
    decisive("agent.edit-chunk", "exact", InvalidArgument, "src/a.js does not contain the *exact chunk* of SEARCH lines you specified.", "exact").pattern(r"(?i)does not contain (?:the|these) \W?(?:\d+ )?exact |failed to exactly match"),
    decisive("agent.edit-no-exact", "no exact match", InvalidArgument, "Error: No exact match found for the provided search text", "an exact match").word(),
    decisive("agent.edit-similar", "no sufficiently similar match found", InvalidArgument, "No sufficiently similar match found at line: 42 (88% similar, needs 100%)", "similar match found"),
    decisive("agent.not-read", "file has not been read yet", InvalidArgument, "File has not been read yet. Read it first before writing to it.", "file has been read"),
    decisive("agent.modified-since", "modified since read", InvalidArgument, "File has been modified since read, either by the user or by a linter.", "modified"),
    decisive("agent.read-too-large", "exceeds maximum allowed tokens", InvalidArgument, "File content (30000 tokens) exceeds maximum allowed tokens (25000).", "maximum allowed"),
    decisive("agent.read-too-big", "exceeds maximum allowed size", InvalidArgument, "File content (300KB) exceeds maximum allowed size (256KB).", "maximum allowed"),
    decisive("agent.input-validation", "inputvalidationerror", InvalidArgument, "InputValidationError: Edit failed due to the following issue", "input validation"),
    decisive("agent.tool-missing", "no such tool available", InvalidArgument, "Error: No such tool available: Foo", "tools available"),
    decisive("agent.tool-unknown", "tool", InvalidArgument, "Unknown tool: frobnicate", "tool ready").pattern(r"(?i)\bunknown tool\b|tool '?\S+'? (?:is )?not found|invalid tool (?:call|name|arguments)|does not exist.*available tools"),
    decisive("agent.parameter", "required parameter", InvalidArgument, "The required parameter `file_path` is missing", "required parameters are set").pattern(r"(?i)required parameter.{0,60}(?:missing|not provided|is required)|missing (?:a )?(?:value for )?required parameter"),
    decisive("agent.parameter-value", "without value for required parameter", InvalidArgument, "Kilo tried to use apply_diff without value for required parameter 'path'. Retrying...", "with value").aside(),
    decisive("agent.mcp-method", "mcp error -32601", InvalidArgument, "MCP error -32601: Method not found", "mcp"),
    decisive("agent.mcp-client", "no mcp client found", InvalidArgument, "Error: No MCP client found for tool ID: x", "mcp client"),
    decisive("agent.diff-sequence", "unexpected end of sequence", WrongOutputFormat, "ERROR: Unexpected end of sequence: Expected '=======' was not found.", "sequence"),
    decisive("agent.apply-diff", "unable to apply diff", InvalidArgument, "Unable to apply diff to file: /x/a.kt", "apply diff"),
    decisive("agent.patch-failed", "patch failed", Other, "error: patch failed: src/a.rs:12", "patch applied").word(),
    decisive("agent.patch-not-apply", "patch does not apply", Other, "error: src/a.rs: patch does not apply", "patch applies"),
    decisive("agent.hunk-failed", "hunk", InvalidArgument, "Hunk #1 FAILED at 12.", "Hunk #1 succeeded at 12").pattern(r"\bHunk #\d+ FAILED|\d+ out of \d+ hunks? FAILED"),
    decisive("agent.malformed-patch", "malformed patch", InvalidArgument, "patch: **** malformed patch at line 12", "patch").word(),
    decisive("agent.apply-patch", "apply_patch", InvalidArgument, "apply_patch verification failed: Failed to find expected lines in src/a.rs", "apply_patch ok").pattern(r"(?i)failed|invalid|error"),
    decisive("agent.user-refused", "the user doesn't want to proceed", Other, "The user doesn't want to proceed with this tool use.", "the user wants to"),
    decisive("agent.sandbox", "sandbox", PermissionDenied, "error: sandbox denied write to /etc", "sandbox: on").pattern(r"(?i)sandbox.{0,40}(?:denied|blocked|not allowed|violation)|(?:denied|blocked) by (?:the )?sandbox"),
    decisive("agent.blocked", "blocked", PermissionDenied, "cd to '/etc' was blocked. For security, only directories under the project are allowed", "blocked 3 ads").pattern(r"(?i)was blocked\. For security|command (?:was )?(?:blocked|not allowed|rejected by)"),
    decisive("agent.permission-to-use", "permission to use", PermissionDenied, "Permission to use Bash with command rm has been denied.", "permission to use").pattern(r"(?i)denied"),
    decisive("agent.not-granted", "haven't granted it", PermissionDenied, "The agent requested permissions to write to /etc/hosts, but you haven't granted it yet.", "granted it"),
    decisive("agent.mcp-closed", "mcp error", ConnectionFailure, "MCP error -32000: Connection closed", "mcp errors").pattern(r"(?i)connection closed|-32000"),
    decisive("agent.mcp-timeout", "mcp error -32001", NetworkTimeout, "MCP error -32001: Request timed out", "mcp"),
    decisive("agent.mcp-params", "mcp error -32602", InvalidArgument, "MCP error -32602: Invalid arguments for tool", "mcp"),
    suggestive("agent.tool-use-error", "<tool_use_error>", InvalidArgument, "<tool_use_error>Found 2 matches</tool_use_error>", "tool_use_error"),
];
