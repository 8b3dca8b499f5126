#!/usr/bin/env bash
# Puts `recovery` on the PATH of the job, unless it is there: a release where there is one, else built from this checkout.
# Reads ACTION_PATH, RECOVERY_VERSION (may be empty), RUNNER_TEMP; appends to GITHUB_PATH.
set -euo pipefail

command -v jq >/dev/null || { echo "::error title=recovery::this action needs jq on the runner"; exit 1; }
if command -v recovery >/dev/null; then
    recovery --version
    exit 0
fi
bin="$RUNNER_TEMP/recovery-bin"
mkdir -p "$bin"
if [ -n "${RECOVERY_VERSION:-}" ]; then
    RECOVERY_BIN="$bin" sh "$ACTION_PATH/packaging/install.sh"
elif command -v cargo >/dev/null; then
    cargo install --locked --quiet --path "$ACTION_PATH/recovery-cli" --root "$RUNNER_TEMP/recovery-root"
    cp "$RUNNER_TEMP/recovery-root/bin/recovery" "$bin/"
else
    echo "::error title=recovery::set the input 'version' to a release, or install Rust before this step"
    exit 1
fi
echo "$bin" >>"$GITHUB_PATH"
