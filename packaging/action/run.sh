#!/usr/bin/env bash
# Runs one command under `recovery run` and tells the workflow what came of it. The exit code is the command's own.
#
# Reads INPUT_RUN (required), INPUT_TASK, INPUT_RETRIES, INPUT_TIMEOUT, INPUT_BUDGET, and of GitHub's environment
# GITHUB_JOB, GITHUB_OUTPUT, RUNNER_TEMP. `recovery run` itself writes notices and GITHUB_STEP_SUMMARY.
# Outputs: class, error-type, flaky, journal (the path of the exported journal), id (unlike that of any other step or job).
set -uo pipefail

state=$(mktemp -d "$RUNNER_TEMP/recovery.XXXXXX")
journal="$state/journal.jsonl"
task=${INPUT_TASK:-${GITHUB_JOB:-job}}

options=()
[ -n "${INPUT_RETRIES:-}" ] && options+=(--retries "$INPUT_RETRIES")
[ -n "${INPUT_TIMEOUT:-}" ] && options+=(--timeout "$INPUT_TIMEOUT")
[ -n "${INPUT_BUDGET:-}" ] && options+=(--budget "$INPUT_BUDGET")
# As GitHub runs `run:` with `shell: bash`.
printf '%s\n' "$INPUT_RUN" >"$state/command.sh"
recovery run --task "$task" --state-dir "$state/state" ${options[@]+"${options[@]}"} -- \
    bash --noprofile --norc -eo pipefail "$state/command.sh"
code=$?

recovery journal export --state-dir "$state/state" >"$journal" 2>/dev/null || : >"$journal"
# Nothing is recorded of a command that worked at once. What was decided last about a failure is what the outputs say.
jq --raw-output --slurp '
    [.[] | select(.body.decision)] as $records
    | ([$records[] | select(.body.decision.failure)] | last | .body.decision) as $failure
    | ($failure != null and ($records | last | .body.decision.failure | not)) as $flaky
    | "class=\($failure.classification.class // "")",
      "error-type=\($failure.diagnosis.error_type // "")",
      "flaky=\($flaky)"' "$journal" >>"$GITHUB_OUTPUT"
printf 'journal=%s\nid=%s\n' "$journal" "${state##*.}" >>"$GITHUB_OUTPUT"
# The root cause, at its place in the diff, where a file is known.
if [ "$code" -ne 0 ]; then
    jq --raw-output --slurp '
        def data: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
        def property: data | gsub(":"; "%3A") | gsub(","; "%2C");
        [.[] | select(.body.decision.failure)] | last | .body.decision.diagnosis.problem
        | select(. != null and .file != null)
        | "::error title=recovery,file=\(.file | property)"
          + (if .line then ",line=\(.line)" else "" end)
          + (if .column then ",col=\(.column)" else "" end)
          + "::\(.message | data)"' "$journal"
fi
exit "$code"
