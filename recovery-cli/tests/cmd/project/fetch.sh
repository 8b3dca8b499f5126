#!/bin/sh
# Fails twice with a dropped connection, then works; then begins again.
tries=$(($(cat .tries 2>/dev/null || echo 0) + 1))
echo "$tries" > .tries
echo "fetching packages"
if [ "$tries" -lt 3 ]; then
    echo "npm error network read ECONNRESET" >&2
    exit 1
fi
echo "added 214 packages"
rm .tries
