#!/usr/bin/env bash
# A line editor under test: bash's own, one submitted line a loop, each appended to the file in FAKE_LOG.
set -o emacs
while IFS= read -r -e -p 'bash> ' line; do
  printf '%s\n' "$line" >>"$FAKE_LOG"
done
