#!/bin/sh
# The editor of agents that Suremail starts: hands the draft to a swap that asks for it, else runs the person's own editor.
# $SM_SWAP is the session's folder. A swap leaves `request` there: a token, what to do if nobody answers, for how many
# seconds to wait for an answer, what the file's name looks like, and when no call of the swap's key can come any more.

# Whoever is about to press a key can see that this editor has the terminal.
own() {
  [ -z "$SM_SWAP" ] || (umask 077 && mkdir -p "$SM_SWAP" && echo $$ >"$SM_SWAP/own") 2>/dev/null
  unset SM_SWAP
  eval "exec ${SM_EDITOR:-vi} \"\$@\""
}

for file; do :; done
[ -n "$SM_SWAP" ] && [ -t 0 ] || own "$@"
# A swap that gave up waiting left its request as `late`: the agent took its time, and gets what the request says at once.
asked=$SM_SWAP/request
[ -f "$asked" ] || asked=$SM_SWAP/late
[ -f "$asked" ] || own "$@"
{ read -r token && read -r otherwise && read -r seconds && read -r pattern && read -r over; } <"$asked" || own "$@"
[ "$(date +%s)" -le "$over" ] || own "$@"
# shellcheck disable=SC2254 # the pattern is one
case $file in
  $pattern) ;;
  *)
    [ "$asked" != "$SM_SWAP/request" ] || echo "$file" >"$SM_SWAP/other"
    own "$@"
    ;;
esac
# Whoever takes the request away has it: one call answers one swap.
mv "$asked" "$SM_SWAP/$token.taken" 2>/dev/null || own "$@"
# What to do may have been changed since it was read; what was moved is what counts.
{ read -r token && read -r otherwise; } <"$SM_SWAP/$token.taken"
case $asked in */late) seconds=0 ;; esac

umask 077
exec 4<&0
at=$SM_SWAP/$token
# Both ends: opening it never waits, and whoever answers finds a reader as long as this runs.
exec 3<>"$SM_SWAP/answer" || exit 0
# The daemon reads the file and writes what shall be in it; as few processes as can be, since a person's keys wait.
echo "$file" >"$at.called"
(
  sleep "$seconds" 3>&-
  echo "$token late" >&3
) </dev/null >/dev/null 2>&1 &
late=$!
# An answer to another call may have been left in there.
while read -r whose answer <&3 && [ "$whose" != "$token" ]; do :; done
kill "$late" 2>/dev/null

if [ "$answer" = late ]; then
  answer=$otherwise
  cp "$file" "$at.draft"
  if [ "$answer" != keep ] && [ -s "$at.mark" ]; then
    LC_ALL=C sed -e "/$(cat "$at.mark")/{" -e 's///' -e ':rest' -e 'n' -e 'b rest' -e '}' "$at.draft" >"$file"
    # A key that is on its way takes it out there: where this agent puts the caret.
    [ "$answer" = unmark ] || cat "$at.mark" >>"$file"
  fi
fi
echo "$answer" >"$at.done"
# Until the agent has its terminal back as it was, the system itself takes Backspace, Ctrl-U, Ctrl-C and Enter for its own.
(
  looks=0
  until case $(stty -a <&4) in *-icanon*) ;; *) false ;; esac || [ "$looks" -ge 300 ]; do
    looks=$((looks + 1))
    # Most have it within moments; for one that is slow some milliseconds more are nothing.
    [ "$looks" -lt 50 ] || sleep 0.01 2>/dev/null || sleep 1
  done
  echo >"$at.raw"
) </dev/null >/dev/null 2>&1 3>&- &
exit 0
