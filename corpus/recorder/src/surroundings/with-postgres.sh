#!/bin/sh
# Runs its arguments beside a PostgreSQL server of their own: socket in `./pg`, user and database `app`, 5 connections.
mkdir pg && chmod 777 pg .
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
export PGHOST="$PWD/pg" PGUSER=app PGDATABASE=app
{
    unprivileged "$bin/initdb" -D pg/data -U app -A trust --no-sync
    cat >> pg/data/postgresql.conf <<CONF
fsync = off
max_connections = 5
superuser_reserved_connections = 0
listen_addresses = ''
unix_socket_directories = '$PWD/pg'
CONF
    unprivileged "$bin/pg_ctl" -D pg/data -l pg/log -w start
    createdb app
} > /dev/null 2>&1
"$@"
code=$?
unprivileged "$bin/pg_ctl" -D pg/data -m immediate stop > /dev/null 2>&1
exit $code
