#!/usr/bin/env bash
# Installs on Debian what `cargo xtask bench` compares with, valgrind for its --gate, and the tools that make the logs of its --logs.
# What is missing is left out of the tables.
set -euo pipefail
apt-get update -qq
apt-get install -y -qq --no-install-recommends ripgrep nodejs python3 libhyperscan5 libhyperscan-dev gcc valgrind
command -v npm >/dev/null || apt-get install -y -qq --no-install-recommends npm
apt-get install -y -qq --no-install-recommends build-essential cmake golang-go python3-pip python3-venv curl maven junit4 \
    libmaven-compiler-plugin-java libmaven-jar-plugin-java libmaven-resources-plugin-java libsurefire-java
