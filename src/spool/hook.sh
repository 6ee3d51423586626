#!/bin/sh
# A hook of an agent: leaves what it was given in the spool, and prints what the daemon left for it. Never blocks.
# Usage: hook.sh HOME AGENT EVENT < the hook's JSON. Nothing here waits for the daemon, and without it nothing is lost.
home=$1 agent=$2 event=$3
umask 077
server=${TMUX#*,}
at=$home/doors/at/${server%%,*}-${TMUX_PANE#%}
[ -d "$home/spool" ] || exit 0
new=$home/spool/.$$-$event
# The first line says whose it is; the rest is the hook's own.
{ echo "$agent $event ${SM_SESSION:--} ${TMUX%%,*} ${server%%,*} ${TMUX_PANE:--}" && cat; } >"$new" 2>/dev/null &&
  mv "$new" "$home/spool/$$-$event" 2>/dev/null
# What the daemon has for this event: whoever takes the file away has it, so it is printed once.
if [ -n "$TMUX_PANE" ] && [ -f "$at/$event.say" ]; then
  mv "$at/$event.say" "$at/$event.said" 2>/dev/null && cat "$at/$event.said"
fi
exit 0
