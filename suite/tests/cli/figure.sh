# needs-command: gnuplot
# The command figure runs, compares, draws and judges the experiments of an id, and continues.
mkdir -p own/experiments
experiment() { # experiment NAME SCENARIOS CLAIMS: a small experiment of the paper TINY
    cat >"own/experiments/$1.cfg" <<CFG
name = "$1"; title = "small $1"; paper = "TINY"; minutes = [3, 2]; gigabytes = [0.4, 0.02]; mode = "smoke"; figures = ["pareto"];
variants = ( "exact-distance", "brute", "ist:voxels=16" ); scenarios = ( $2 );
claims = ( $3 );
CFG
}
scenario() { # scenario NAME FRAMES
    echo "{ name = \"$1\"; a = \"box\"; b = \"sphere:triangles=180\"; quantities = \"distance\";
        trajectory = { kind = \"sphere\"; lo = 0.1; hi = 0.3; frames = $2; }; }"
}
claim() { # claim ID LIMIT: at most LIMIT frames are judged
    echo "{ id = \"$1\"; claim = \"few frames\"; whose = \"paper\"; paper = 9.0; variants = \"ist*\"; expected = true;
        measure = \"frames_judged_count\"; at_most = $2; }"
}
figure() { # figure ARGUMENT...: what it says, without times and commits; its tables are in the file `out`
    echo "\$ proxbench figure $*"
    "$proxbench" figure "$@" --data own --out papers >out 2>err
    echo "[$?]"
    grep '^proxbench: ' err | grep -v "percentages are\|of those judged\|within 1 %\|fastest\|prints more" |
        sed 's/the run of .* by .* in/the run of TIME by COMMIT in/'
}
verdicts() {
    awk -F '  +' '/^id/ { on = 1; next } on && $5 ~ /holds|not hold|tell/ { print $1, $5 }' out
}
experiment tiny-f1 "$(scenario one 9)" "$(claim F1a 9.0), $(claim T2 9.0)"
experiment tiny-t1-a "$(scenario a 5)" "$(claim T1a 9.0)"
experiment tiny-t1-b "$(scenario b 5)" "$(claim T1b 4.0)"
echo '# one experiment, by its id: run, compared, drawn, judged; its run is kept'
figure TINY-F1
verdicts
grep -c 'one-distance-pareto.*,drawn' out
ls papers/tiny-f1/compare.txt papers/tiny-f1/claims.csv papers/tiny-f1/figures
grep '^run,command' papers/tiny-f1/manifest.csv
cp papers/tiny-f1/cells.csv cells.csv
figure tiny-t2
verdicts
grep -c ',drawn' out
cmp cells.csv papers/tiny-f1/cells.csv
echo '# a reduced run is another one'
figure Tiny-F1 --quick
ls papers/quick
grep '^run,command' papers/quick/tiny-f1/manifest.csv
echo '# sizes of reduced runs'
experiment tiny-f3 "$(scenario one 9)" "$(claim F3 9.0), { id = \"F4\"; claim = \"more\"; whose = \"paper\"; not_yet = \"the rest is missing\"; }"
sed -i 's/^name/quick = { frames = 3; triangles = 80; skip = "bru*"; }; &/' own/experiments/tiny-f3.cfg
figure tiny-f3 --quick
awk -F '  +' '/^id/ { on = 1; next } on && /not yet/' out
cut -d, -f1,2 papers/quick/tiny-f3/cells.csv
wc -l <papers/quick/tiny-f3/one/exact-distance.csv
grep -o 'sphere:triangles=[0-9]*' papers/quick/tiny-f3/manifest.csv
sed -i 's/"bru\*"/"brt*"/' own/experiments/tiny-f3.cfg
run run tiny-f3 --mode smoke --data own
rm own/experiments/tiny-f3.cfg
echo '# an interrupted run is continued'
sed -i '/^run,exit_status/d' papers/tiny-f1/manifest.csv
figure tiny-f1
grep -c '^run,resumed_utc\|^run,exit_status,0' papers/tiny-f1/manifest.csv
echo '# an id with two experiments; an expected claim does not hold'
figure TINY-T1
verdicts
echo '# all: one fails, and the others do not stop; the next call goes on where this one stopped'
experiment tiny-a1 "{ name = \"lost\"; a = \"./lost.off\"; b = \"box\"; quantities = \"distance\"; trajectory = ((1, 2, 3)); }" "$(claim A1 9.0)"
rm papers/tiny-t1-a/figures/index.csv
figure --all
grep -c ',drawn' out
cut -d, -f1,2,4 papers/claims.csv
sed -i 's/\.\/lost\.off/box/' own/experiments/tiny-a1.cfg
echo rubbish >papers/tiny-t1-b/manifest.csv
figure --all
cut -d, -f1,2,4 papers/claims.csv
echo '# Ctrl-C'
experiment tiny-x1 "$(scenario long 100000)" "$(claim X1 9.0)"
setsid "$proxbench" figure tiny-x1 --data own --out papers >out 2>err &
while [ ! -e papers/tiny-x1/manifest.csv ] && kill -0 $! 2>/dev/null; do
    sleep 0.05
done
kill -INT $!
wait $!
echo "[$?]"
grep 'continue' err
ls papers/tiny-x1/figures 2>/dev/null
echo '# errors'
run figure
run figure --all TINY-F1
run figure TINY-F2 --data own
run run TINY-T2 --data own
run run TINY-F1 --data own
grep -c . papers/tiny-f1/compare.txt >/dev/null || echo 'the comparison is empty'
