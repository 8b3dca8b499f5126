#!/usr/bin/env bash
# Prints the Homebrew formula of a release, with the checksums of its archives.
# usage: packaging/homebrew.sh VERSION DIRECTORY_WITH_SHA256_FILES
set -euo pipefail
version=$1 dist=$2
formula=$(cat "$(dirname "$0")/recovery.rb.in")
for target in aarch64-apple-darwin x86_64-apple-darwin aarch64-unknown-linux-musl x86_64-unknown-linux-musl; do
    sum=$(cut -d' ' -f1 "$dist/recovery-$version-$target.tar.gz.sha256")
    formula=${formula//@SHA256_$target@/$sum}
done
printf '%s\n' "${formula//@VERSION@/$version}"
