#!/bin/bash
if [ -d out ]; then
  echo ok

echo end
