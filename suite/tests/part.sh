#!/bin/sh
# part.sh RESULT COMMAND...: runs a part of a check, and shows what it prints only if it fails.
#
# Writes RESULT.log, and "passed failed skipped" to RESULT.count.
set -u
result=$1
shift
mkdir -p "$(dirname "$result")"
if "$@" >"$result.log" 2>&1 </dev/null; then
    echo 1 0 0 >"$result.count"
else
    status=$?
    echo 0 1 0 >"$result.count"
    cat "$result.log"
    echo "$(basename "$result"): exit status $status, see $result.log"
    exit 1
fi
