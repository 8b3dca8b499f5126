#!/bin/sh
if [[ $a == b ]]; then echo $c; fi
