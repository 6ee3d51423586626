#!/bin/sh
# Claude Code's wake hook (asyncRewake): waits in the background until the daemon rings for a message, and hands it to the
# model by ending with code 2. Usage: set -- HOME always|checked; . waiter.sh < the hook's JSON. It costs nothing while it
# waits. `checked`: only where the daemon has said that this process can be woken; an older one would hang.
# The shell that the agent starts reads this; zsh ends at a pattern that fits no file.
[ -z "$ZSH_VERSION" ] || emulate sh
home=$1
server=${TMUX#*,}
at=$home/doors/at/${server%%,*}-${TMUX_PANE#%}
[ -n "$TMUX_PANE" ] && [ -d "$at/inbox" ] || exit 0
umask 077
[ "$2" = always ] || [ -f "$at/wakes.$PPID" ] || exit 0

IFS= read -r json
case $json in
  *'"session_id":"'*) session=${json#*'"session_id":"'} ;;
  *'"session_id": "'*) session=${json#*'"session_id": "'} ;;
  *) exit 0 ;;
esac
session=${session%%\"*}
case $session in '' | *[!A-Za-z0-9_-]*) exit 0 ;; esac

# One for each conversation, though several events try to start it: the link appears together with its content. The
# waiter of another process has outlived it.
lock=$at/waiter.$session
self=$$.$PPID
tries=0
until ln -s "$self" "$lock" 2>/dev/null; do
  # Where no link can be made there is nothing to wait for.
  tries=$((tries + 1))
  [ "$tries" -le 100 ] && [ -d "$at/inbox" ] || exit 0
  owner=$(readlink "$lock")
  [ -n "$owner" ] || continue
  [ "${owner#*.}" = "$PPID" ] && kill -0 "${owner%.*}" 2>/dev/null && exit 0
  # Two may find that at once: one that moves away what the other has just made puts it back.
  mv "$lock" "$lock.$$" 2>/dev/null || continue
  if [ "$(readlink "$lock.$$")" = "$owner" ]; then rm -f "$lock.$$"; else mv "$lock.$$" "$lock"; fi
done
is_owner() { [ "$(readlink "$lock")" = "$self" ]; }
trap '! is_owner || rm -f "$lock"' EXIT
trap 'exit 0' INT TERM HUP

bell=$at/bell.$session
[ -p "$bell" ] || mkfifo "$bell" 2>/dev/null
# Both ends: opening it never waits, and whoever rings finds a reader as long as this runs.
exec 3<>"$bell" || exit 0
# From here on a ring is heard; an agent that ended before is not waited for.
kill -0 "$PPID" 2>/dev/null || exit 0

# Whoever renames a message first has it. Once it says that it was told, no signal comes between that and the end.
hand_over() {
  mv "$at/inbox/$1.msg" "$at/inbox/$1.taken" 2>/dev/null || return
  trap '' INT TERM HUP
  cat "$at/inbox/$1.taken" >&2 && mv "$at/inbox/$1.taken" "$at/inbox/$1.told" && exit 2
  exit 0
}

look() {
  for file in "$at/inbox"/*.msg; do
    name=${file##*/}
    [ ! -f "$file" ] || hand_over "${name%.msg}"
  done
}

# It may have been rung for while no waiter listened. What the bell says does not matter: two that read it at once, an
# old one and its follower, may each get a part.
look
while read -r _ <&3; do
  # An agent that is gone takes nothing any more, and a waiter that was replaced lets the other have it.
  if ! is_owner || ! kill -0 "$PPID" 2>/dev/null; then
    echo >&3
    exit 0
  fi
  look
done
exit 0
