#!/bin/sh
# large.sh BINARY [VARIANTS [FRAMES]]: makes a run of 20 variants over 10 000 frames of a tiny pair,
# and a run of two variants. Fails if the peak resident memory of the supervisor exceeds BOUND_KB,
# or grows with the number of variants by more than GROWTH_KB. Then opens the CSV files of the run
# unchanged in gnuplot and in pandas (if pandas is not installed, it says so and uses csv of
# Python).
set -u
BOUND_KB=32768 GROWTH_KB=4096
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo 'usage: large.sh BINARY [VARIANTS [FRAMES]]' >&2
    exit 2
fi
proxbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
variants=${2-20} frames=${3-10000}
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder" || exit 3
PROXBENCH_PEERS=
export PROXBENCH_PEERS
bad=0
fail() {
    echo "large: $*" >&2
    bad=1
}

# A path around a small body, with rotation: apart and overlapping.
awk -v n="$frames" 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < n; i++) {
        a = 6.283185307179586 * i / n
        printf "%d,%.3f,%.17g,%.17g,%.17g,0,0,%.17g,%.17g\n", i, i / 1000, 0.11 * cos(3 * a),
            0.11 * sin(3 * a), 0.03 * sin(7 * a), sin(5 * a), cos(5 * a)
    }
}' >path.csv

# experiment NAME COUNT: writes an experiment with COUNT cheap variants; the name of one contains a
# comma.
experiment() {
    voxels=$(awk -v n="$2" 'BEGIN { for (i = 0; i < n - 1; i++) printf "%s%d", i ? ", " : "", 5 + i }')
    cat >"$1.cfg" <<END
name = "$1"; mode = "ci"; launches = 2; rounds = 3;
variants = ( { algorithm = "ist"; voxels = 5; radius = "primary"; },
             { algorithm = "ist"; voxels = [$voxels]; } );
scenarios = ( { name = "path"; a = "box"; b = "sphere:triangles=80"; quantities = "distance";
                trajectory = "path.csv"; } );
END
}

# peak NAME: runs it and prints VmHWM of the supervisor in KB; its workers are other processes.
peak() {
    "$proxbench" run "./$1.cfg" --quiet --cache cache --out "$1" >"$1.log" 2>&1 &
    pid=$! most=0
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null) &&
        [ -n "$now" ]; do
        most=$now
        sleep 0.02
    done
    wait "$pid" || { cat "$1.log" >&2; echo "large: run $1 ended with $?" >&2; }
    echo "$most"
}

experiment few 2
experiment many "$variants"
few=$(peak few)
many=$(peak many)
echo "$variants variants x $frames frames: the supervisor takes $many KB (2 variants: $few KB);" \
    "at most $BOUND_KB KB, and $GROWTH_KB KB more for more variants"
[ "$many" -gt 0 ] && [ "$few" -gt 0 ] || fail 'no peak was seen'
[ "$many" -le $BOUND_KB ] || fail 'that is too much'
[ $((many - few)) -le $GROWTH_KB ] || fail 'it grows with the number of variants'

cells=many/cells.csv passes=many/passes.csv one=many/path/$(ls many/path | grep '^ist.*\.csv$' | head -n 1)
rows() {
    echo $(($(wc -l <"$1") - 1))
}
[ "$(rows "$one")" -eq "$frames" ] || fail "$one has $(rows "$one") rows"

# drawn FILE X Y: prints the number of points that gnuplot finds by the names of two columns.
drawn() {
    gnuplot 2>&1 <<END
set terminal dumb
set output '/dev/null'
set datafile separator comma
set datafile columnheaders
set datafile missing ''
plot '$1' using (column('$2')):(column('$3')) with points title '$1'
stats '$1' using (column('$2')):(column('$3')) nooutput
print sprintf('%d', STATS_records)
END
}
for asked in "$cells frames_count time_p50_ns" "$one frame time_median_ns" \
    "$one truth_distance_lo_m distance_error_size" "$passes launch query_ns"; do
    set -- $asked
    got=$(drawn "$1" "$2" "$3" | tail -n 1)
    echo "gnuplot: $1: $got points of $3 over $2, of $(rows "$1") rows"
    [ "$got" = "$(rows "$1")" ] || fail "gnuplot finds $got points in $1"
done

# The pandas package of Debian is for the Python of Debian, which need not be the first one.
python=python3
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import pandas' 2>/dev/null && python=$candidate
done
"$python" - "$cells" "$one" "$passes" <<'END' || fail 'Python cannot read them'
import csv, sys
try:
    import pandas
except ImportError:
    pandas = None
NUMBERS = {"cells": ["frames_count", "time_p50_ns", "violations_count"],
           "passes": ["launch", "round", "query_ns", "p99_ns"]}
for path in sys.argv[1:]:
    commas = "variant" if "path/" not in path else None
    numbers = NUMBERS.get(path.split("/")[-1][:-4], ["frame", "distance_m", "time_median_ns"])
    if pandas:
        table = pandas.read_csv(path)
        assert not [name for name in table.columns if name.startswith("Unnamed")], table.columns
        for name in numbers:
            assert table[name].dtype.kind in "if", (path, name, table[name].dtype)
            assert table[name].notna().all(), (path, name)
        assert not commas or "ist:radius=primary,voxels=5" in set(table[commas]), path
        print(f"pandas {pandas.__version__}: {path}: {len(table)} rows, {len(table.columns)} columns")
    else:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        for row in rows:
            assert None not in row and None not in row.values(), (path, row)
            for name in numbers:
                float(row[name])
        assert not commas or "ist:radius=primary,voxels=5" in {row[commas] for row in rows}, path
        print(f"pandas is not installed; Python's csv: {path}: {len(rows)} rows")
END
exit $bad
