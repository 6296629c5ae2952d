#!/bin/sh
# total.sh BUILD CHECK...: adds up the results that the parts of these checks have written to
# BUILD/CHECK/, and prints the totals as its last line. Exit status 1 if a test failed or no test
# passed.
#
# Writes the times of all tests of check and check-all to BUILD/test-times.csv, the slowest first.
# For a single CHECK, also prints a note on its slowest test if that is slow, and the skipped tests.
set -u
build=$1
shift
slow=5

# read_all SUFFIX CHECK...: prints the contents of all files with this suffix.
read_all() {
    suffix=$1
    shift
    for check in "$@"; do
        [ -d "$build/$check" ] && find "$build/$check" -name "*.$suffix" -exec cat {} +
    done
}

{
    echo 'seconds,program,test'
    read_all times check check-all | sort -t, -k1,1nr -k2
} >"$build/test-times.csv"

if [ $# -eq 1 ]; then
    read_all times "$1" | sort -t, -k1,1nr | awk -F, -v slow=$slow -v table="$build/test-times.csv" '
        $2 ~ /tests$/ && $1 > slow && !found++ { print "note: " $3 " took " $1 " s, more than " slow " s (" table ")" }'
    # One paragraph for each reason: the number of tests, and the names of their suites.
    read_all skips "$1" | sort | awk -F '\t' '
        { sub(/::.*/, "", $1) }
        !($2 in count) { reasons[++n] = $2 }
        { count[$2]++ }
        !(($1, $2) in seen) { seen[$1, $2] = 1; names[$2] = names[$2] " " $1 }
        END { for (i = 1; i <= n; i++) print count[reasons[i]] " skipped: " reasons[i] ":" names[reasons[i]] }' |
        fold -s -w 100
fi
read_all count "$@" | awk '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"
        exit passed == 0 || failed > 0
    }'
