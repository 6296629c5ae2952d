#!/bin/sh
# kills.sh run BINARY KILLS SEED: kills the supervisor of a run or one of its workers at a random
# moment, resumes the run, and kills again, until there were KILLS kills. Every run must end with
# the same answer columns as an undisturbed run. Exit status 1 if one does not.
# kills.sh simulate BINARY KILLS SEED: does the same with simulations, in which one variant crashes
# and one hangs. Only the program is killed, because a killed worker gives a row with that status,
# which is kept.
set -u
if [ $# -ne 4 ] || [ ! -x "$2" ] || { [ "$1" != run ] && [ "$1" != simulate ]; }; then
    echo 'usage: kills.sh run|simulate BINARY KILLS SEED' >&2
    exit 2
fi
command=$1
shift
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

# A tilted box is pressed on a larger one.
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i <= 1000; i++)
        printf "%d,%.3f,0.05,0.02,%.17g,0.1,0,0,0.99498743710661997\n", i, i * 0.001,
            0.5 - 0.08 * (i < 200 ? i / 200 : 1)
}' >device.csv

# begin FOLDER starts the command; answers FOLDER prints all results that do not depend on time.
# ends: exit status of an undisturbed command; longest: largest time to a kill, ms; workers: true if
# workers are killed, too
if [ "$command" = run ]; then
    ends=0 longest=600 workers=true
    begin() {
        exec "$proxbench" run killed.cfg --quiet --cache cache --out "$1"
    }
    answers() {
        (cd "$1" && find . -path './*/*.csv' ! -path './trajectories/*' | sort | while read -r file; do
            echo "$file"
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) time[i] = $i ~ /^time_/ }
                { for (i = 1; i <= NF; i++) if (!time[i]) printf "%s,", $i; print "" }' "$file"
        done)
    }
else
    # Longer than the time limit of the variant that hangs, so that some kills come after it.
    ends=5 longest=3500 workers=false
    variants=exact-volume,faulty:fault=crashing,frame=700,faulty:fault=hanging,frame=700,pst:voxels=12
    begin() {
        exec "$proxbench" simulate --a box:scale=10 --b box:scale=4 --device device.csv --quiet --cache cache \
            --timeout 2 --algorithm "$variants" --out "$1"
    }
    answers() {
        (cd "$1" && cat simulations.csv pair/*.steps.csv trajectories/*.csv)
    }
fi

# Sets $drawn to the next random number below $1 (generator of Lehmer, so that a seed gives the same
# numbers everywhere).
state=$(($3 % 2147483646 + 1))
draw() {
    state=$((state * 48271 % 2147483647))
    drawn=$((state % $1))
}

children() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent && $3 != "Z" { print $1 }'
}

(begin whole) >/dev/null 2>errors
if [ $? -ne $ends ]; then
    cat errors
    exit 3
fi
answers whole >expected
[ "$(wc -l <expected)" -gt 3000 ] || {
    echo "the undisturbed $command has no answers"
    exit 3
}

struck=0 run=0 supervisors=0
while [ "$struck" -lt "$kills" ]; do
    run=$((run + 1))
    begin "run$run" >/dev/null 2>errors &
    pid=$!
    attempts=0
    while :; do
        draw $longest
        delay=$drawn
        draw 3
        chosen=$drawn
        if [ "$struck" -lt "$kills" ]; then
            sleep "$(awk -v ms="$delay" 'BEGIN { printf "%.3f", ms / 1000 }')"
            victim=$pid
            if $workers && [ "$chosen" -ne 0 ]; then
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
        [ $status -eq $ends ] && break
        attempts=$((attempts + 1))
        if [ $status -ne 137 ] && [ $status -ne 5 ] || [ $attempts -gt 200 ]; then
            echo "run $run ended with status $status: $(cat errors)"
            exit 1
        fi
        # Killed before it wrote its manifest: start again.
        if [ -e "run$run/manifest.csv" ]; then
            "$proxbench" "$command" --resume "run$run" --quiet >/dev/null 2>errors &
        else
            rm -rf "run$run"
            begin "run$run" >/dev/null 2>errors &
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
echo "$command: $struck kills ($supervisors of supervisors) in $run runs: the same answers"
