#!/bin/sh
# criterion.sh BINARY: runs one Criterion binary and fails unless it ran tests and all passed.
#
# Criterion exits 0 when it ran nothing, and leaves skipped tests out of its closing line; so the
# closing line must be there with Tested > 0, and skips are counted in its JSON. Writes
# "passed failed skipped" to BINARY.count.
binary=$1
unset BXFI_MAP
timeout 280 "$binary" --short-filename --json="$binary.json" >"$binary.log" 2>&1
status=$?
line=$(grep 'Synthesis:' "$binary.log")
number() {
    printf '%s\n' "$line" | tr -d '\033' | sed -n "s/.*$1: *\(\[[0-9;]*m\)*\([0-9]*\).*/\2/p"
}
tested=$(number Tested)
passed=$(number Passing)
skipped=$(grep -c '"status": "SKIPPED"' "$binary.json" 2>/dev/null)
if [ "$status" -ne 0 ] || [ "${tested:-0}" -eq 0 ] || [ "$tested" != "$passed" ]; then
    if [ "${tested:-0}" -eq 0 ] && [ "$status" -eq 0 ] && [ "${skipped:-0}" -gt 0 ]; then
        echo "0 0 $skipped" >"$binary.count"
        exit 0
    fi
    cat "$binary.log"
    echo "$binary: exit status $status"
    exit 1
fi
grep -i 'skipped:' "$binary.log" | sed 's/^/         /'
echo "$passed 0 ${skipped:-0}" >"$binary.count"
