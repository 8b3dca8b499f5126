#!/usr/bin/env bash
# Builds the module into an environment of its own under target/ and runs its tests. Needs python3 with venv, and Rust.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
venv="$root/target/python-venv"
python3 -m venv "$venv" || {
    echo "python3 has no venv module here; on Debian: apt-get install python3-venv" >&2
    exit 1
}
"$venv/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' -r tests/requirements.txt
export VIRTUAL_ENV="$venv" PATH="$venv/bin:$PATH" CARGO_TARGET_DIR="$root/target/python"
maturin develop --quiet
# The whole committed corpus, against the binary that the workspace's tests have just built.
RECOVERY_BINARY="${RECOVERY_BINARY:-$root/target/debug/recovery}" python -m pytest --quiet tests
