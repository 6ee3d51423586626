#!/bin/sh
# Claude Code's wake hook (asyncRewake): waits in the background until the daemon names a message, and hands it to the
# model by ending with code 2. Usage: exec sh waiter.sh HOME always|checked < the hook's JSON. It costs nothing while it
# waits. `checked`: only where the daemon has said that this process can be woken; an older one would hang.
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

# One for each conversation, though several events try to start it: the link appears together with its content.
lock=$at/waiter.$session
until ln -s "$$" "$lock" 2>/dev/null; do
  owner=$(readlink "$lock")
  [ -n "$owner" ] || continue
  kill -0 "$owner" 2>/dev/null && exit 0
  # Its owner was killed. Two may find that at once: one of them has it.
  ln -sfn "$$" "$lock"
  [ "$(readlink "$lock")" != "$$" ] || break
done
trap '[ "$(readlink "$lock")" != "$$" ] || rm -f "$lock"' EXIT
trap 'exit 0' INT TERM HUP

bell=$at/bell.$session
[ -p "$bell" ] || mkfifo "$bell" 2>/dev/null
# Both ends: opening it never waits, and whoever rings finds a reader as long as this runs.
exec 3<>"$bell" || exit 0

# Whoever renames a message first has it. An agent that is gone takes nothing any more; its waiter may have outlived it.
hand_over() {
  kill -0 "$PPID" 2>/dev/null || exit 0
  mv "$at/inbox/$1.msg" "$at/inbox/$1.taken" 2>/dev/null || return
  cat "$at/inbox/$1.taken" >&2 && mv "$at/inbox/$1.taken" "$at/inbox/$1.told" && exit 2
}

# It may have been rung for while no waiter listened.
for file in "$at/inbox"/*.msg; do
  name=${file##*/}
  [ ! -f "$file" ] || hand_over "${name%.msg}"
done
while read -r name <&3; do
  case $name in '' | *[!A-Za-z0-9-]*) continue ;; esac
  hand_over "$name"
done
exit 0
