#!/bin/sh
# power.sh BINARY RUNS: what the timing of runs can tell apart, and how often it is wrong: RUNS runs
# each of `compare` and of the gate (`check --against-plugin`), on a plug-in of which a known part of
# the work is done twice. Prints a Markdown table. Takes about RUNS / 5 minutes and wants a quiet
# machine; the rows that say so have a busy process beside them.
set -u
if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo 'usage: power.sh BINARY RUNS' >&2
    exit 2
fi
proxbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
runs=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
# In memory where there is some: what is timed does not wait for a disk.
folder=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 3
busy=
trap '[ -z "$busy" ] || kill $busy; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder" || exit 3
PROXBENCH_PEERS=
export PROXBENCH_PEERS

# The header as it is installed.
mkdir -p include/proxbench/geometry
cp "$root/algorithms/algorithms.h" include/proxbench
cp "$root/geometry/types.h" include/proxbench/geometry
for percent in 0 5 10 25 50; do
    ${CC:-gcc} -std=c99 -shared -fPIC -O2 -ffp-contract=off -Iinclude -Iinclude/proxbench \
        -DSLOW_PERCENT=$percent "$here/vertices.c" -o "slow$percent.so" -lm || exit 3
done
cp "$here/power.cfg" .
a=sphere:triangles=1000 b=torus:triangles=1000
"$proxbench" trajectory sphere --a $a --b $b --lo 0.01 --hi 0.2 --frames 1000 --quiet \
    --out poses.csv || exit 3

progress() {
    [ -t 2 ] && printf '\r%-40s %d of %d ' "$1" "$2" "$runs" >&2
}

# compared PERCENT: verdict of `compare` on one run of the plug-in against a slower one
compared() {
    rm -rf run
    "$proxbench" run --a $a --b $b --trajectory poses.csv --quantity distance --mode bench --launches 12 --rounds 2 --warm-only \
        --algorithm old-vertices,new-vertices --plugin old=slow0.so --plugin "new=slow$1.so" \
        --baseline old-vertices --cache cache --out run --quiet >/dev/null 2>errors || {
        cat errors >&2
        exit 3
    }
    "$proxbench" compare run >/dev/null || exit 3
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == "new-vertices" && $at["metric"] == "query_ns" && $at["protocol"] == "warm" {
            print ($at["lo"] > 1 || $at["hi"] < 1 ? "excludes" : "holds"), $at["verdict"]
        }' run/compare.csv
}

# gated PERCENT: what the gate says: "time" where it finds it slower, "instructions" where it counts
# more of them (it does where the kernel lets it count: 1 % more is too many), both, or nothing
gated() {
    rm -rf gate
    "$proxbench" check power.cfg --plugin "slow$1.so" --against-plugin slow0.so --cache cache \
        --out gate --quiet --format csv >findings 2>errors
    status=$?
    case $status in
    0 | 4) awk -F, '$1 == "failed" && !seen[$2]++ { print $2 }' findings | sort | xargs echo ;;
    *)
        cat errors >&2
        exit 3
        ;;
    esac
}

# count_compared LABEL PERCENT PATTERN: how many runs of which `compared` says something like PATTERN
count_compared() {
    hits=0 i=0
    while [ $i -lt "$runs" ]; do
        i=$((i + 1))
        progress "$1" $i
        verdict=$(compared "$2") || exit 3
        case $verdict in
        $3) hits=$((hits + 1)) ;;
        esac
    done
}

# count_gated LABEL PERCENT: hits: how often it is slower by its time; counted: by its instructions
count_gated() {
    hits=0 counted=0 i=0
    while [ $i -lt "$runs" ]; do
        i=$((i + 1))
        progress "$1" $i
        said=$(gated "$2") || exit 3
        case $said in
        *time*) hits=$((hits + 1)) ;;
        esac
        case $said in
        *instructions*) counted=$((counted + 1)) ;;
        esac
    done
}

row() {
    echo "| $1 | $2 | $hits of $runs | $3 |"
}

echo '| what | slower by | says so | wanted |'
echo '|---|---|---|---|'
count_compared 'quiet, 5 %, compare' 5 '* slower*'
row '`compare` says slower' '5 %' 'at least 90 %'
for percent in 5 10 25 50; do
    count_gated "quiet, $percent %, gate" $percent
    case $percent in
    5) wanted='at most 2 % (its own tolerance)' ;;
    10) wanted='at least 80 %' ;;
    *) wanted='at least 99 %' ;;
    esac
    row 'gate fires by time' "$percent %" "$wanted"
    counted_all="${counted_all-}${counted_all:+, }$counted at $percent %"
done
sh -c 'while :; do :; done' &
busy=$!
count_compared 'busy, equal, compare' 0 'excludes*'
row 'interval excludes equal, a busy process beside it' '0 %' 'at most 8 %'
count_gated 'busy, equal, gate' 0
row 'gate fires by time, a busy process beside it' '0 %' '0 %'
hits=$counted
row 'gate fires by instructions, a busy process beside it' '0 %' '0 %'
kill $busy
wait $busy 2>/dev/null
busy=
echo
echo "The gate's count of instructions, which needs no quiet, fired in $counted_all, of $runs each."
[ -t 2 ] && echo >&2
exit 0
