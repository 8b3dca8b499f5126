#!/usr/bin/env bash
# Builds the Debian package: the binary, its manual pages and completions. Prints the path of the .deb.
# Needs cargo-deb (cargo install cargo-deb). RECOVERY_BINARY takes a binary that is already built.
set -euo pipefail
cd "$(dirname "$0")/.."

target="${CARGO_TARGET_DIR:-target}"
[ -n "${RECOVERY_BINARY:-}" ] || cargo build --locked --release --package recovery-cli >&2
binary="${RECOVERY_BINARY:-$target/release/recovery}"
[ "$binary" -ef "$target/release/recovery" ] || install -D "$binary" "$target/release/recovery"

# Where [package.metadata.deb] in recovery-cli/Cargo.toml takes them from.
files=target/package-files
rm -rf "$files"
mkdir -p "$files/completions"
"$binary" man --dir "$files/man"
for shell in bash zsh fish; do
    "$binary" completions "$shell" >"$files/completions/$shell"
done
cargo deb --package recovery-cli --no-build --no-strip
