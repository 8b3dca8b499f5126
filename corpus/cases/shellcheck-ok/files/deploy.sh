#!/bin/sh
echo "error: $1" >&2
exit 1
