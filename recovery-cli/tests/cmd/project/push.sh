#!/bin/sh
echo "fatal: Authentication failed for 'https://git.example.com/shop.git/'" >&2
exit 128
