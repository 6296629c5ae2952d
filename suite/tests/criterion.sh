#!/bin/sh
# criterion.sh PROGRAM RESULT: runs a Criterion program. Fails unless it ran tests and all of them
# passed.
#
# Writes RESULT.log, RESULT.count ("passed failed skipped"), RESULT.skips (a line "test<tab>reason"
# for each skipped test) and RESULT.times (a line "seconds,program,test" for each test). Criterion
# exits with 0 if it ran no test, and does not count skipped tests. Therefore the counts come from
# the lines of the log.
#
# CPU_LIMIT (seconds of CPU time of one test, default 100) stops a test that does not end. It does
# not depend on the load of the machine. WALL_LIMIT (seconds of the whole program) stops a test that
# sleeps for ever.
set -u
program=$1 result=$2
unset BXFI_MAP
mkdir -p "$(dirname "$result")"
rm -f "$result.count"
(
    ulimit -t "${CPU_LIMIT:-100}"
    exec timeout "${WALL_LIMIT:-7200}" "$program" --verbose --short-filename --color=never --json="$result.json"
) >"$result.log" 2>&1 </dev/null
status=$?
skips() {
    awk -F '"' '
        /^      "name": / { suite = $4 }
        /^          "name": / { test = $4 }
        /"status": "SKIPPED"/ { skipped = 1; next }
        skipped && /"messages": / { sub(/^skipped: /, "", $4); print suite "::" test "\t" $4 }
        { skipped = 0 }' "$result.json" 2>/dev/null
}
skips >"$result.skips"
# "[PASS] suite::test: (1.23s)" becomes "1.23,program,suite::test".
sed -n "s|^\[PASS\] \([a-z0-9_]*::[a-z0-9_]*\): (\([0-9.]*\)s)\$|\2,${program%/*},\1|p" "$result.log" >"$result.times"
number() {
    sed -n "s/.*\[====\] Synthesis:.* $1: \([0-9]*\) .*/\1/p" "$result.log" | tail -n 1
}
tested=$(number Tested) passed=$(number Passing)
skipped=$(wc -l <"$result.skips")
if [ "$status" -eq 0 ] && [ "${tested:-0}" = "${passed:-none}" ] && [ $((tested + skipped)) -gt 0 ]; then
    echo "$passed 0 $skipped" >"$result.count"
    exit 0
fi
failed=$((${tested:-0} - ${passed:-0}))
[ "$failed" -gt 0 ] || failed=1
echo "${passed:-0} $failed $skipped" >"$result.count"
grep -v '^\[RUN \]\|^\[PASS\]\|^\[SKIP\]' "$result.log"
echo "$program: exit status $status, see $result.log"
exit 1
