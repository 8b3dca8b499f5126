#!/bin/sh
# Runs its arguments with `./disk` as a 64 KiB file system, mounted for them alone.
mkdir -p disk
exec unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs ./disk && exec "$@"' sh "$@"
