#!/bin/sh
# power.sh BINARY RUNS [PAGE]: what the timing of runs can tell apart, and how often it is wrong: RUNS
# runs each of `compare` and of the gate (`check --against-plugin`), on a plug-in of which a known
# part of the work is done twice. Prints the numbers; takes about RUNS / 3 minutes on a quiet machine,
# up to 8 * RUNS minutes on one that is not.
#
# PAGE, docs/timing.md, has one table of both conditions, between the lines <!-- power --> and
# <!-- /power -->. The run writes the column of the condition that it met: 'quiet' with a priority
# above normal (nice -n -10, as root), 'shared' otherwise. The other column stays as it is.
set -u
if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -x "$1" ]; then
    echo 'usage: power.sh BINARY RUNS [PAGE]' >&2
    exit 2
fi
proxbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
runs=$2
limit=60 # seconds that a gate may add launches in
page=${3-}
[ -z "$page" ] || page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
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

condition=shared
[ "$(nice)" -ge 0 ] || condition=quiet
# If the kernel does not allow counting instructions, valgrind counts them.
counting=
! command -v valgrind >/dev/null || counting=--instructions
load() {
    cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown
}
begun="$(date -u +%Y-%m-%d)" load_first=$(load)

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
    "$proxbench" run --a $a --b $b --trajectory poses.csv --quantity distance --mode bench \
        --launches 12 --rounds 2 --warm-only \
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

# gated PERCENT [OPTION...]: what the gate says: "time" where it finds it slower, "instructions" where
# it counts more of them (1 % more is too many), "noise" where it cannot tell, several, or nothing
gated() {
    rm -rf gate
    percent=$1
    shift
    "$proxbench" check power.cfg --plugin "slow$percent.so" --against-plugin slow0.so --strict \
        --time-limit $limit --cache cache --out gate --quiet --format csv "$@" >findings 2>errors
    status=$?
    case $status in
    0 | 4 | 6) awk -F, '$1 == "failed" && !seen[$2]++ { print $2 }' findings | sort | xargs echo ;;
    *)
        cat errors >&2
        exit 3
        ;;
    esac
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == "vertices@head" { print $at["launch"] }' gate/launches.csv |
        sort -nu | tail -n 1 >>launches
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

# count_gated LABEL PERCENT: hits: how often it is slower by its time; counted: by its instructions;
# unsure: how often it cannot tell
count_gated() {
    hits=0 counted=0 unsure=0 i=0
    label=$1 percent=$2
    while [ $i -lt "$runs" ]; do
        i=$((i + 1))
        progress "$label" $i
        said=$(gated "$percent" $counting) || exit 3
        case $said in
        *time*) hits=$((hits + 1)) ;;
        esac
        case $said in
        *instructions*) counted=$((counted + 1)) ;;
        esac
        case $said in
        *noise*) unsure=$((unsure + 1)) ;;
        esac
    done
}

# row WHAT PERCENT HITS WANTED
row() {
    printf '%s\t%s\t%s of %s\t%s\n' "$1" "$2" "$3" "$runs" "$4" | tee -a rows
}

start_busy() {
    sh -c 'while :; do :; done' &
    busy=$!
}

: >launches
: >rows
count_compared '5 %, compare' 5 '* slower*'
row '`compare` says slower' '5 %' $hits 'at least 90 %'
for percent in 5 10 25 50; do
    count_gated "$percent %, gate" $percent
    case $percent in
    5) wanted='at most 2 % (its own tolerance)' ;;
    10) wanted='at least 80 %' ;;
    *) wanted='at least 99 %' ;;
    esac
    row 'gate fires by time' "$percent %" $hits "$wanted"
    [ $percent -eq 5 ] || row '... cannot tell' "$percent %" $unsure ''
    row 'gate fires by instructions' "$percent %" $counted '100 %'
done
start_busy
count_compared 'busy, equal, compare' 0 'excludes*'
row 'interval excludes equal, a busy process beside it' '0 %' $hits 'at most 8 %'
count_gated 'busy, equal, gate' 0
row 'gate fires by time, a busy process beside it' '0 %' $hits '0 %'
row '... cannot tell' '0 %' $unsure ''
row 'gate fires by instructions, a busy process beside it' '0 %' $counted '0 %'
kill $busy
wait $busy 2>/dev/null
busy=
[ -t 2 ] && echo >&2

median=$(sort -n launches | awk '{ n[NR] = $1 + 1 } END { print n[int((NR + 1) / 2)] }')
most=$(sort -n launches | awk 'END { print $1 + 1 }')
counters='no counters of instructions'
! grep -q '^workers,counters,ok' gate/manifest.csv || counters='counters of instructions'
summary="$condition: $begun, $runs runs a row, nice $(nice), load $load_first at the beginning and \
$(load) at the end on $(nproc) CPUs, $counters; a gate made $median launches at the median, $most at most, in up to $limit s"
echo "$summary"
[ -n "$page" ] || exit 0

# The page's table: rows by what and per cent, a column a condition; and a line about each condition.
awk -F'\t' -v condition="$condition" -v summary="$summary" '
    FILENAME == "rows" {
        key = $1 "\t" $2
        order[++count] = key
        new[key] = $3
        wanted[key] = $4
        next
    }
    /^<!-- power -->$/ { inside = 1; next }
    /^<!-- \/power -->$/ {
        inside = 0
        print "<!-- power -->"
        print "| what | slower by | quiet, high priority | shared, normal priority | wanted |"
        print "|---|---|---|---|---|"
        for (i = 1; i <= count; i++) {
            split(order[i], part, "\t")
            q = condition == "quiet" ? new[order[i]] : quiet[order[i]]
            s = condition == "shared" ? new[order[i]] : shared[order[i]]
            printf "| %s | %s | %s | %s | %s |\n", part[1], part[2], q, s, wanted[order[i]]
        }
        print ""
        if (condition == "quiet" || said["quiet"]) {
            print "- " (condition == "quiet" ? summary : said["quiet"])
        }
        if (condition == "shared" || said["shared"]) {
            print "- " (condition == "shared" ? summary : said["shared"])
        }
        print
        next
    }
    inside {
        if (split($0, cell, / *\| */) > 5) {
            quiet[cell[2] "\t" cell[3]] = cell[4]
            shared[cell[2] "\t" cell[3]] = cell[5]
        }
        if (match($0, /^- (quiet|shared): /)) {
            said[substr($0, 3, index($0, ":") - 3)] = substr($0, 3)
        }
        next
    }
    { print }' rows "$page" >page.new || exit 3
cat page.new >"$page"
