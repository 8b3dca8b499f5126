"""Lists and calls every tool of `recovery mcp` with the official client SDK, in both eras of the protocol.

    python mcp_client.py PATH_OF_RECOVERY PROJECT_DIR
"""

import asyncio
import sys

from mcp import Client, StdioServerParameters

TOOLS = [
    "classify_failure", "decide_next_step", "record_outcome", "task_status", "task_hints", "repair_task",
    "repair_outcome", "reset_task", "resolve_task", "explain_rule",
]
READ_ONLY = {"classify_failure", "task_status", "task_hints", "explain_rule"}


def expect(condition, what):
    if not condition:
        sys.exit(f"not as expected: {what}")


async def call(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    expect(not result.is_error, (name, result.content))
    expect(result.content and result.structured_content, (name, result))
    return result.structured_content


async def refused(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    expect(result.is_error, (name, result))
    return result.content[0].text


async def converse(program, directory, mode):
    task = f"login {mode}"
    server = StdioServerParameters(command=program, args=["mcp"], cwd=directory)
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        expect([tool.name for tool in tools] == TOOLS, tools)
        for tool in tools:
            hints = tool.annotations
            expect(hints.read_only_hint == (tool.name in READ_ONLY), tool)
            expect(hints.idempotent_hint == (tool.name != "repair_task"), tool)
            expect(not hints.open_world_hint and not hints.destructive_hint, tool)
            expect(tool.title and tool.description and tool.input_schema and tool.output_schema, tool)

        found = await call(client, "classify_failure", output="Error: read ECONNRESET")
        expect(found["classification"]["class"] == "F1", found)
        none = await call(client, "classify_failure", output="fine", exit_code=0)
        expect(none["failure"] is False, none)

        attempt = {"task": task, "attempt_id": "1", "output": "Error: read ECONNRESET", "action": "npm ci"}
        step = await call(client, "decide_next_step", **attempt)
        expect(step["step"] == "retry" and step["level"] == 1, step)
        again = await call(client, "decide_next_step", **attempt)
        expect(again == step, "the same attempt gives the same answer")
        status = await call(client, "record_outcome", task=task, attempt_id="2", ok=True)
        expect(status["state"] == "ok" and status["failures_ever"] == 1, status)
        expect((await call(client, "task_status", task=task))["tasks"][0]["task"] == task, "the task is known")
        expect((await call(client, "explain_rule", id="rate_limit"))["kind"] == "error type", "a page")

        judged = {"task": f"judged {mode}", "attempt_id": "1", "output": "", "exit_code": 0, "judge": {"goalAlignment": 3}}
        expect((await call(client, "decide_next_step", **judged))["step"] == "replan", "a judge fails what exits with 0")
        request = {"FAILED_TASK": {"number": 3, "name": "Count"}, "ERROR": "bash: jq: command not found"}
        repair = await call(client, "repair_task", task=f"repair {mode}", request=request)
        expect(repair["strategy"] == "RETRY" and repair["budget_remaining"] == 1, repair)
        ended = await call(client, "repair_outcome", task=f"repair {mode}", ok=True)
        expect(ended["log"].startswith("[Node Repair - RETRY] Task 3:"), ended)
        expect((await call(client, "task_hints", task=f"judged {mode}"))["task"], "hints")
        reset = await call(client, "reset_task", task=f"judged {mode}", reason="looked at it")
        expect(reset["ladder"]["level"] is None, reset)
        held = {"task": f"held {mode}", "attempt_id": "1", "output": "x", "conflict_id": f"CONFLICT-{mode}"}
        expect((await call(client, "decide_next_step", **held))["step"] == "arbitrate", "F6 from an agent")
        freed = await call(client, "resolve_task", task=f"CONFLICT-{mode}", reason="merged")
        expect(freed["task"] == f"held {mode}" and freed["state"] != "waiting", freed)

        expect("attempt_id" in await refused(client, "decide_next_step", task=task, output="x"), "names the field")
        expect("record_outcome" in await refused(client, "decide_next_step", **{**attempt, "exit_code": 0}), "says what")
        expect("nothing is called" in await refused(client, "explain_rule", id="nonsense"), "says what")
        expect("no task is called" in await refused(client, "task_status", task="nobody"), "says what")

        huge = "compiling\n" * 500_000 + "error[E0308]: mismatched types\n"
        expect((await call(client, "classify_failure", output=huge))["failure"], "five megabytes")
        many = [
            call(client, "decide_next_step", task=f"many {mode}", attempt_id=str(n), output="error: boom") for n in range(20)
        ]
        await asyncio.gather(*many)
        status = await call(client, "task_status", task=f"many {mode}")
        expect(status["tasks"][0]["failures_ever"] == 20, status)


async def main():
    program, directory = sys.argv[1:]
    for mode in ["legacy", "auto", "2026-07-28"]:
        await converse(program, directory, mode)
        print(f"{mode}: every tool listed and called")


asyncio.run(main())
