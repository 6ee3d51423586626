#!/bin/sh
# A hook of an agent: leaves what it was given in the spool, and prints what the daemon left for it. Never blocks.
# Usage: set -- HOME AGENT EVENT; . hook.sh < the hook's JSON. Nothing here waits for the daemon, and without it nothing is lost.
# The shell that the agent starts reads this; zsh ends at a pattern that fits no file.
[ -z "$ZSH_VERSION" ] || emulate sh
home=$1 agent=$2 event=$3
umask 077
server=${TMUX#*,}
at=$home/doors/at/${server%%,*}-${TMUX_PANE#%}
# Read all the same: whoever writes it may not expect a closed pipe.
unheard() { cat >/dev/null; exit 0; }
[ -d "$home/spool" ] || unheard
# Tools print much, and hooks in a user's settings run in every agent of theirs: what no session is about is not kept.
case $event in PostToolUse | AfterTool) [ -n "$TMUX_PANE" ] && [ -d "$at" ] || unheard ;; esac
# Another of the same number may have left one that nobody has read yet.
new=$home/spool/$$-$event n=0
while [ -e "$new" ]; do n=$((n + 1)) new=$home/spool/$$.$n-$event; done
# The first line says whose it is; the rest is the hook's own.
{ { echo "$agent $event ${SM_SESSION:--} ${TMUX%%,*} ${server%%,*} ${TMUX_PANE:--}" && cat; } >"$new"; } 2>/dev/null || new=
# What belongs to a message that was only named, by its id and a blank behind it. Its daemon takes the file away.
if [ -n "$new" ] && [ -n "$TMUX_PANE" ]; then
  for file in "$at/$event.for"/*; do
    [ -f "$file" ] || continue
    grep -qF "#${file##*/} " "$new" && cat "$file" 2>/dev/null && break
  done
fi
# It is whole once it ends so; a rename would be one more program, and each costs the agent time.
[ -z "$new" ] || { printf '\n.\n' >>"$new"; } 2>/dev/null
# What the daemon has for this event: whoever takes the file away has it, so it is printed once.
if [ -n "$TMUX_PANE" ] && [ -f "$at/$event.say" ]; then
  # It may be for one conversation only: an agent inside a tool of another has the same pane.
  [ ! -f "$at/$event.to" ] || { read -r to <"$at/$event.to" && [ "$to" = "$GEMINI_SESSION_ID" ]; } || exit 0
  mv "$at/$event.say" "$at/$event.said" 2>/dev/null && cat "$at/$event.said"
fi
exit 0
