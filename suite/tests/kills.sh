#!/bin/sh
# kills.sh BINARY KILLS SEED: kills a run's supervisor or one of its workers at a random moment,
# resumes it, kills again, until KILLS kills have struck; every run must end with the answer columns
# of one that nobody disturbed. Exit status 1 when one does not.
set -u
if [ $# -ne 3 ] || [ ! -x "$1" ]; then
    echo 'usage: kills.sh BINARY KILLS SEED' >&2
    exit 2
fi
proxbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
kills=$2
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder" || exit 3
PROXBENCH_PEERS=
export PROXBENCH_PEERS

cat >killed.cfg <<'END'
name = "killed"; mode = "ci"; launches = 3; rounds = 2;
variants = ("floor", "exact-distance", { algorithm = "exact-distance"; start = "last"; },
            { algorithm = "ist"; voxels = [8, 16]; });
scenarios = (
  { name = "one"; a = "sphere:triangles=180"; b = "torus:triangles=200"; quantities = "distance";
    trajectory = { kind = "sphere"; lo = 0.01; hi = 0.2; frames = 400; }; },
  { name = "two"; a = "box"; b = "torus:triangles=200"; quantities = "distance";
    trajectory = { kind = "sphere"; lo = 0.01; hi = 0.2; frames = 400; }; }
);
END

# answers RUN: all that does not depend on time, of every frame
answers() {
    (cd "$1" && find . -path './*/*.csv' ! -path './trajectories/*' | sort | while read -r file; do
        echo "$file"
        cut -d, -f1-23,28- "$file"
    done)
}

# The next number below $1 (Lehmer's generator, so that a seed means the same everywhere).
state=$(($3 % 2147483646 + 1))
draw() {
    state=$((state * 48271 % 2147483647))
    drawn=$((state % $1))
}

children() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent && $3 != "Z" { print $1 }'
}

"$proxbench" run killed.cfg --quiet --cache cache --out whole >/dev/null 2>errors || {
    cat errors
    exit 3
}
answers whole >expected
[ "$(wc -l <expected)" -gt 3000 ] || {
    echo 'the undisturbed run has no answers'
    exit 3
}

struck=0 run=0 supervisors=0
while [ "$struck" -lt "$kills" ]; do
    run=$((run + 1))
    "$proxbench" run killed.cfg --quiet --cache cache --out "run$run" >/dev/null 2>errors &
    pid=$!
    attempts=0
    while :; do
        draw 600
        delay=$drawn
        draw 3
        who=$drawn
        if [ "$struck" -lt "$kills" ]; then
            sleep "$(awk -v ms="$delay" 'BEGIN { printf "%.3f", ms / 1000 }')"
            victim=$pid
            if [ "$who" -ne 0 ]; then
                set -- $(children "$pid")
                [ $# -gt 0 ] && draw $# && shift "$drawn" && victim=$1
            fi
            if kill -KILL "$victim" 2>/dev/null; then
                struck=$((struck + 1))
                [ "$victim" -eq "$pid" ] && supervisors=$((supervisors + 1))
            fi
        fi
        wait "$pid" 2>/dev/null
        status=$?
        [ $status -eq 0 ] && break
        attempts=$((attempts + 1))
        if [ $status -ne 137 ] && [ $status -ne 5 ] || [ $attempts -gt 200 ]; then
            echo "run $run ended with status $status: $(cat errors)"
            exit 1
        fi
        # Killed before it could say what it was about to do: begun anew.
        if [ -e "run$run/manifest.csv" ]; then
            "$proxbench" run --resume "run$run" --quiet >/dev/null 2>errors &
        else
            rm -rf "run$run"
            "$proxbench" run killed.cfg --quiet --cache cache --out "run$run" >/dev/null 2>errors &
        fi
        pid=$!
    done
    answers "run$run" >got
    if ! cmp -s expected got; then
        echo "run $run, after $struck kills, has other answers:"
        diff expected got | head -n 20
        exit 1
    fi
    rm -rf "run$run"
    [ -t 2 ] && printf '\r%d of %d kills' "$struck" "$kills" >&2
done
echo "$struck kills ($supervisors of supervisors) in $run runs: the same answers"
