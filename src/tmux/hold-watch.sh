# Ends a hold whose owner is gone: after its time it lets a rescuer try, then frees the keys in order, options as they were.
# Arguments: TMUX SOCKET PREFIX TOKEN PASSED_MS STEP_MS ENTER_MS GRACE_MS [RESCUE...]. tmux itself starts it PASSED_MS after the
# hold began, by a timer that is set in the same breath: a hold that ends in time costs no sleeping process.
tmux=$1 socket=$2 prefix=$3 token=$4 passed=$5 step=$6 enter=$7 grace=$8
shift 8
unset TMUX TMUX_PANE

# A look costs a process, so there are few; a hold that has ended is noticed after this many milliseconds at the latest.
look_ms=500
# Agents take an Escape and a key within 50 ms of it for one key with Alt.
escape_ms=60
# A waiting client that does not go on after so many signals has vanished.
patience=8
# How long a person may leave a pressed prefix key alone before it is taken back.
prefix_looks=100

tm() { "$tmux" -N -u -S "$socket" "$@" 2>/dev/null; }

nap() {
  [ "$1" -gt 0 ] || return 0
  sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))" 2>/dev/null || sleep "$(($1 / 1000 + 1))"
}

# Sets limit, entered, left, kind; false when this hold is no more, or the whole server.
look() {
  state=
  for _ in 1 2 3; do
    state=$(tm display-message -p "#{${prefix}T} #{${prefix}U} #{${prefix}I} #{${prefix}O} #{${prefix}K}") && break
    nap "$look_ms"
  done
  set -- $state
  [ "$1" = "$token" ] || return 1
  limit=${2:-0} entered=${3:-0} left=${4:-0} kind=$5
}

# Until the time is over, which the owner can move.
wait_until_over() {
  while look || exit 0; do
    rest=$((limit + $1 - passed))
    [ "$rest" -gt 0 ] || return 0
    [ "$rest" -lt "$look_ms" ] || rest=$look_ms
    nap "$rest"
    passed=$((passed + rest))
  done
}

wait_until_over 0
if [ $# -gt 0 ]; then
  "$@" </dev/null >/dev/null 2>&1 &
  wait_until_over "$grace"
fi

stalled=0 before=
looks=0
over=$limit
while look; do
  # Whoever has taken the hold over has given it more time.
  if [ "$limit" != "$over" ]; then
    wait_until_over 0
    over=$limit
    continue
  fi
  if [ "$entered" = "$left" ]; then
    # Changing the key table would throw a client out of a prefix that its person has just pressed.
    pending=$(tm list-clients -F "#{?client_control_mode,,#{!=:#{client_key_table},#{key-table}}}" | grep -c 1)
    looks=$((looks + 1))
    if [ "$pending" = 0 ] || [ "$looks" -gt "$prefix_looks" ]; then
      finish=$(tm display-message -p "#{${prefix}F}")
      tm if-shell -F "#{&&:#{==:#{${prefix}T},$token},#{==:#{${prefix}U},$over}}" "$finish" >/dev/null
    else
      nap "$step"
    fi
    continue
  fi
  if [ "$left" = "$before" ]; then stalled=$((stalled + 1)); else stalled=0; fi
  before=$left
  held="#{&&:#{==:#{${prefix}T},$token},#{&&:#{==:#{${prefix}U},$over},#{!=:#{${prefix}I},#{${prefix}O}}}}"
  if [ "$stalled" -ge "$patience" ]; then
    tm if-shell -F "$held" "set-environment -g -h ${prefix}O $entered"
    continue
  fi
  [ "$kind" != e ] || nap "$enter"
  tm if-shell -F "$held" "wait-for -S smhold-$token"
  case $kind in
    e) nap "$enter" ;;
    x) nap "$escape_ms" ;;
    *) nap "$step" ;;
  esac
done
exit 0
