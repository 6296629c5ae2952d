#!/bin/sh
# part.sh RESULT COMMAND...: runs a part of a check, and shows its output only if it fails.
#
# Writes RESULT.log, and "passed failed skipped" to RESULT.count. Breaks that survive a draw are
# listed as skipped (mutants.sh).
set -u
result=$1
shift
mkdir -p "$(dirname "$result")"
if "$@" >"$result.log" 2>&1 </dev/null; then
    sed -n 's/^SURVIVED: \(.*\)/\1\ta break that no test notices/p' "$result.log" >"$result.skips"
    echo 1 0 "$(wc -l <"$result.skips")" >"$result.count"
else
    status=$?
    echo 0 1 0 >"$result.count"
    cat "$result.log"
    echo "$(basename "$result"): exit status $status, see $result.log"
    exit 1
fi
