#!/bin/sh
# Works on one core.
if [ "$1" = "-j1" ]; then
    echo "built"
    exit 0
fi
echo "src/parse.c:41:9: error: expected ';' before 'return'" >&2
exit 2
