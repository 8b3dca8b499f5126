#!/bin/sh
# Runs its arguments beside a Redis server of their own: port 7421, 3 MB, password `example`.
redis-server --port 7421 --bind 127.0.0.1 --save '' --maxmemory 3mb --requirepass example > /dev/null 2>&1 &
server=$!
until redis-cli -p 7421 ping > /dev/null 2>&1; do sleep 0.1; done
"$@"
code=$?
kill $server
wait $server 2> /dev/null
exit $code
