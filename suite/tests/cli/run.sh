#!/bin/sh
# run.sh [--bless] [--all] [--result RESULT] BINARY [CASE...]: runs the command-line cases in this
# folder, or only the named ones.
#
# A case is NAME.sh with NAME.out, which holds the expected output. The case runs under sh, in an empty
# folder of its own. cases.inc is read before it. $proxbench and $root hold the absolute paths of the
# binary and of the repository. The case passes if it prints NAME.out and exits with 0.
#
# Lines at the beginning of a case:
#   # needs: PATH              skipped if $root/PATH is missing
#   # needs-command: NAME      skipped if the program NAME is missing
#   # needs-package: NAME      skipped if pkg-config does not know the library NAME
#   # needs-python: MODULE     skipped if no python3 has this module ($python is one that has it)
#   # needs-peers              skipped if no peer is built
#   # check-all: REASON        left out unless it is named or --all is given (`make check-all`),
#                              because it needs a real clock or takes long
#   # tries: 3                 repeated until it passes, at most three times, because it needs a
#                              quiet machine. If the last try failed and wrote the file `noise`
#                              (tell_noise of cases.inc), the case counts as skipped, not as failed.
#
# --bless writes the present output of the cases to NAME.out. Review the difference before you commit it.
# --result writes RESULT.count ("passed failed skipped"), RESULT.skips ("case<tab>reason") and
# RESULT.times ("seconds,folder,case").
set -u
bless=false all=false result=
while :; do
    case ${1-} in
    --bless) bless=true ;;
    --all) all=true ;;
    --result)
        result=$2
        shift
        ;;
    *) break ;;
    esac
    shift
done
if [ $# -eq 0 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh [--bless] [--all] [--result RESULT] BINARY [CASE...]" >&2
    exit 2
fi
proxbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
cases=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$cases/../../.." && pwd)
export proxbench root
export PROXBENCH_PEERS= # a case that needs the peers of this build sets this variable itself
unset PROXBENCH_THREADS PROXBENCH_DATA COLUMNS
folder=$(mktemp -d) || exit 3
export XDG_CACHE_HOME="$folder/.cache"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
: >"$folder/skips"
: >"$folder/times"

passed=0 failed=0 skipped=0
fail() {
    printf 'FAIL  %s: %s\n' "$name" "$1"
}
skip() {
    printf 'skip  %s: %s\n' "$name" "$1"
    printf '%s\t%s\n' "$name" "$1" >>"$folder/skips"
    skipped=$((skipped + 1))
}

# find_python MODULE: sets $python to an interpreter that has the module.
find_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && export python && return
    done
    return 1
}

# missing SCRIPT: prints the requirement of the case that this machine lacks.
missing() {
    needed=$(sed -n 's/^# needs: //p' "$1")
    if [ -n "$needed" ] && [ ! -e "$root/$needed" ]; then
        echo "$needed is not there"
        return
    fi
    if grep -qx '# needs-peers' "$1" && ! ls "${proxbench%/*}"/peers/*.so >/dev/null 2>&1; then
        echo 'no peer is built (make peers)'
        return
    fi
    for needed in $(sed -n 's/^# needs-command: //p' "$1"); do
        if ! command -v "$needed" >/dev/null; then
            echo "$needed is not installed"
            return
        fi
    done
    for needed in $(sed -n 's/^# needs-package: //p' "$1"); do
        if ! pkg-config --exists "$needed" 2>/dev/null; then
            echo "the library $needed is not installed"
            return
        fi
    done
    module=$(sed -n 's/^# needs-python: //p' "$1")
    [ -z "$module" ] || find_python "$module" || echo "no python3 here has $module"
}

# try SCRIPT: runs the case in an empty folder. Prints the reason if it fails, and nothing if it passes.
try() {
    rm -rf "${folder:?}/$name"
    mkdir "$folder/$name"
    # The limit stops a case that does not end. It is so long that all other cases end before it, on a busy
    # machine, too.
    (cd "$folder/$name" && TMPDIR=$folder timeout "${WALL_LIMIT:-7200}" sh -c '. "$0"; . "$1"' \
        "$cases/cases.inc" "$1") >"$folder/$name.out" 2>"$folder/$name.err" </dev/null
    status=$?
    # Removes progress lines: commands print them after ten seconds, which depends on the load.
    sed -i -E '/: [0-9]+ of [0-9]+ \([0-9]+ %\), [0-9.e+]+\/s/d' "$folder/$name.out" "$folder/$name.err"
    if [ -s "$folder/$name.err" ]; then
        cat "$folder/$name.err"
        fail 'the case itself wrote to standard error'
    elif [ $status -ne 0 ]; then
        tail -n 20 "$folder/$name.out"
        fail "exit status $status"
    elif $bless; then
        cp "$folder/$name.out" "$cases/$name.out"
    elif ! diff -u "$cases/$name.out" "$folder/$name.out"; then
        fail 'prints something else'
    fi
}

if [ $# -eq 0 ]; then
    for script in "$cases"/*.sh; do
        [ "$script" = "$cases/run.sh" ] && continue
        $all || ! grep -q '^# check-all: ' "$script" || continue
        set -- "$@" "$script"
    done
fi
for case in "$@"; do
    name=$(basename "$case" .sh)
    script=$cases/$name.sh
    if [ ! -f "$script" ]; then
        fail 'no such case'
        failed=$((failed + 1))
        continue
    fi
    # `missing` sets $python, so it must not run in a sub-shell.
    missing "$script" >"$folder/missing"
    reason=$(cat "$folder/missing")
    if [ -n "$reason" ]; then
        skip "$reason"
        continue
    fi
    tries=$(sed -n 's/^# tries: //p' "$script")
    ! $bless || tries=
    tries=${tries:-1}
    begin=$(date +%s.%N)
    while try "$script" >"$folder/verdict" && [ -s "$folder/verdict" ] && [ $tries -gt 1 ]; do
        tries=$((tries - 1))
    done
    awk -v begin="$begin" -v end="$(date +%s.%N)" -v name="$name" \
        'BEGIN { printf "%.2f,suite/tests/cli,%s\n", end - begin, name }' >>"$folder/times"
    if [ ! -s "$folder/verdict" ]; then
        passed=$((passed + 1))
    elif [ -s "$folder/$name/noise" ]; then
        skip "cannot tell: noise $(cat "$folder/$name/noise") %"
    else
        cat "$folder/verdict"
        failed=$((failed + 1))
    fi
done
if [ -n "$result" ]; then
    mkdir -p "$(dirname "$result")"
    echo "$passed $failed $skipped" >"$result.count"
    cp "$folder/skips" "$result.skips"
    cp "$folder/times" "$result.times"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
