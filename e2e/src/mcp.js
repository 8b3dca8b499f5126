// An MCP server with one tool, which works and tells of failures.
const answer = (id, result) => process.stdout.write(JSON.stringify({jsonrpc: "2.0", id, result}) + "\n");
const TOOL = {name: "read_log", description: "Reads the log of the last build.", inputSchema: {type: "object", properties: {}}};
const LOG = "error[E0308]: mismatched types\nnpm error code ECONNRESET\nFAILED\nExit Code: 1";
const replies = {
  initialize: ({protocolVersion}) => ({protocolVersion, capabilities: {tools: {}}, serverInfo: {name: "notes", version: "1"}}),
  "tools/list": () => ({tools: [TOOL]}),
  "tools/call": () => ({content: [{type: "text", text: LOG}], isError: false}),
  ping: () => ({}),
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {id, method, params} = JSON.parse(line);
  if (id !== undefined) answer(id, (replies[method] ?? (() => ({})))(params ?? {}));
});
