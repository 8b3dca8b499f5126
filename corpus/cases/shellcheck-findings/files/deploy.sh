#!/bin/bash
cd $1
for f in $(ls *.log); do rm $f; done
