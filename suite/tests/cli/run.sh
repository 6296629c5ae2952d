#!/bin/sh
# run.sh [--bless] BINARY [CASE...]: runs the command-line cases in this folder, or only those named.
#
# A case is NAME.sh with NAME.out, what it has to print. It runs under sh, after cases.inc, in an
# empty folder of its own, with the absolute paths $proxbench (the binary) and $root (the
# repository). It passes when it prints NAME.out and exits 0. The line `# needs: PATH` skips it where
# $root/PATH is missing, `# needs-command: NAME` where that program is,
# `# needs-python: MODULE` where no python3 has that module ($python has it), and `# needs-peers` where
# no peer is built. --bless writes what the cases print now to NAME.out: read the difference.
set -u
bless=false
if [ "${1-}" = --bless ]; then
    bless=true
    shift
fi
if [ $# -eq 0 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh [--bless] BINARY [CASE...]" >&2
    exit 2
fi
proxbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
cases=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$cases/../../.." && pwd)
export proxbench root
export PROXBENCH_PEERS= # a case that wants the peers of this build says so
unset PROXBENCH_THREADS PROXBENCH_DATA
folder=$(mktemp -d) || exit 3
export XDG_CACHE_HOME="$folder/.cache"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

passed=0 failed=0 skipped=0
fail() {
    printf 'FAIL  %s: %s\n' "$name" "$1"
    failed=$((failed + 1))
}

# find_python MODULE: the interpreter that has it becomes $python.
find_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && export python && return
    done
    return 1
}

if [ $# -eq 0 ]; then
    set -- "$cases"/*.sh
fi
for case in "$@"; do
    name=$(basename "$case" .sh)
    script=$cases/$name.sh
    [ "$name" = run ] && continue
    if [ ! -f "$script" ]; then
        fail 'no such case'
        continue
    fi
    needed=$(sed -n 's/^# needs: //p' "$script")
    if [ -n "$needed" ] && [ ! -e "$root/$needed" ]; then
        printf 'skip  %s: %s is not there\n' "$name" "$needed"
        skipped=$((skipped + 1))
        continue
    fi
    if grep -qx '# needs-peers' "$script" && ! ls "${proxbench%/*}"/peers/*.so >/dev/null 2>&1; then
        printf 'skip  %s: no peer is built (make peers)\n' "$name"
        skipped=$((skipped + 1))
        continue
    fi
    for needed in $(sed -n 's/^# needs-command: //p' "$script"); do
        if ! command -v "$needed" >/dev/null; then
            printf 'skip  %s: %s is not installed\n' "$name" "$needed"
            skipped=$((skipped + 1))
            continue 2
        fi
    done
    module=$(sed -n 's/^# needs-python: //p' "$script")
    if [ -n "$module" ] && ! find_python "$module"; then
        printf 'skip  %s: no python3 here has %s\n' "$name" "$module"
        skipped=$((skipped + 1))
        continue
    fi
    mkdir "$folder/$name"
    (cd "$folder/$name" && TMPDIR=$folder timeout 300 sh -c '. "$0"; . "$1"' \
        "$cases/cases.inc" "$script") >"$folder/$name.out" 2>"$folder/$name.err" </dev/null
    status=$?
    if [ -s "$folder/$name.err" ]; then
        cat "$folder/$name.err"
        fail 'the case itself wrote to standard error'
    elif [ $status -ne 0 ]; then
        tail -n 20 "$folder/$name.out"
        fail "exit status $status"
    elif $bless; then
        cp "$folder/$name.out" "$cases/$name.out"
        passed=$((passed + 1))
    elif diff -u "$cases/$name.out" "$folder/$name.out"; then
        passed=$((passed + 1))
    else
        fail 'prints something else'
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
