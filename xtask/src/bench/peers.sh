#!/usr/bin/env bash
# Installs on Debian what `cargo xtask bench` compares with, and valgrind for its --gate. What is missing is left out of the tables.
set -euo pipefail
apt-get update -qq
apt-get install -y -qq --no-install-recommends ripgrep nodejs python3 libhyperscan5 libhyperscan-dev gcc valgrind
