#!/bin/sh
# progress.sh LABEL STEPS PATTERN COMMAND...: runs a command that prints a line for each step.
#
# Shows how many of the STEPS are done and the time that is left, estimated from the steps so far: on a
# terminal in one line that is written again each second, elsewhere a line every ten seconds. A step is a
# line of the command that matches PATTERN, a regular expression of grep -E. What the command prints is
# shown only if it fails; its exit status is the script's.
label=$1 steps=$2 pattern=$3
shift 3
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
trap 'kill "$job" 2>/dev/null; exit 130' INT TERM
begun=$(date +%s)
shown=0
"$@" >"$log" 2>&1 &
job=$!

show() {
    now=$(date +%s)
    done=$(grep -cE "$pattern" "$log")
    [ "$done" -gt "$steps" ] && done=$steps
    left=''
    if [ "$done" -gt 0 ]; then
        left=", $(((now - begun) * (steps - done) / done)) s left"
    fi
    if [ -t 2 ]; then
        printf '\r\033[K%s: %d of %d%s' "$label" "$done" "$steps" "$left" >&2
    elif [ "$now" -ge $((shown + 10)) ]; then
        printf '%s: %d of %d%s\n' "$label" "$done" "$steps" "$left" >&2
        shown=$now
    fi
}

while kill -0 "$job" 2>/dev/null; do
    show
    sleep 1
done
wait "$job"
status=$?
[ -t 2 ] && printf '\r\033[K' >&2
if [ "$status" -ne 0 ]; then
    cat "$log"
fi
exit "$status"
