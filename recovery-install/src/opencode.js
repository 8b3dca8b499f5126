// recovery for OpenCode: hands tool calls to `recovery hook opencode` and does what it answers.
// Written by `recovery install opencode`; `recovery uninstall opencode` removes it.
import { spawn } from "node:child_process";

const PROGRAM = "recovery"; // set by install
const PATIENCE_MS = 1500;

// The answer of one hook call; an empty one whenever anything goes wrong: a hook must never break the session.
function ask(payload) {
  return new Promise((resolve) => {
    let printed = "";
    const silent = () => resolve({});
    try {
      const hook = spawn(PROGRAM, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
      const timer = setTimeout(() => { hook.kill("SIGKILL"); silent(); }, PATIENCE_MS);
      hook.on("error", () => { clearTimeout(timer); silent(); });
      hook.stdin.on("error", () => {});
      hook.stdout.on("data", (chunk) => { printed += chunk; });
      hook.on("close", () => {
        clearTimeout(timer);
        try { resolve(JSON.parse(printed)); } catch { silent(); }
      });
      hook.stdin.end(JSON.stringify(payload));
    } catch { silent(); }
  });
}

export const Recovery = async ({ directory }) => {
  const hints = new Map(); // what a new session should know, told beside its first result
  const refused = new Set(); // calls that we refused: their error is no failure of the tool
  const thrown = new Set(); // calls whose error was reported: the part is updated more than once
  return {
    "chat.message": async (input) => {
      await ask({ hook: "chat.message", directory, input: { sessionID: input?.sessionID } });
    },
    "tool.execute.before": async (input, output) => {
      const { deny } = await ask({ hook: "tool.execute.before", directory, input, output });
      if (deny) {
        refused.add(input.callID);
        throw new Error(deny);
      }
    },
    "tool.execute.after": async (input, output) => {
      const told = await ask({ hook: "tool.execute.after", directory, input, output });
      const append = [hints.get(input.sessionID), told.append].filter(Boolean).join("\n\n");
      hints.delete(input.sessionID);
      if (!append || !output) return;
      if (typeof output.output === "string") output.output += `\n\n${append}`;
      else if (Array.isArray(output.content)) output.content.push({ type: "text", text: append });
    },
    // A tool that throws fires no hook of its own; the model's service reports its errors here, too.
    event: async ({ event }) => {
      const part = event.type === "message.part.updated" ? event.properties?.part : undefined;
      const failed = part?.type === "tool" && part.state?.status === "error";
      if (failed && (refused.has(part.callID) || thrown.has(part.callID))) return;
      if (failed) thrown.add(part.callID);
      const session = ["session.created", "session.deleted", "session.error"].includes(event.type);
      if (!failed && !session) return;
      const { hints: known } = await ask({ hook: "event", directory, event });
      if (known) hints.set(event.properties?.info?.id ?? event.properties?.sessionID, known);
    },
  };
};
