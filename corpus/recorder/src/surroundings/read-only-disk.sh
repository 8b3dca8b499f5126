#!/bin/sh
# Runs its arguments with `./disk` as a read-only file system, mounted for them alone.
mkdir -p disk
exec unshare -rm sh -c 'mount --bind ./disk ./disk && mount -o remount,bind,ro ./disk && exec "$@"' sh "$@"
