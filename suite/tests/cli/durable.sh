# check-all: kills and resumes runs, in 20 s
# Measurements survive a full disk, Ctrl-C and a closed pipe; and --resume continues the run.
cat >small.cfg <<'END'
name = "small"; mode = "ci"; launches = 10;
variants = ("floor", "exact-distance", { algorithm = "ist"; voxels = 8; });
scenarios = ({ name = "s"; a = "box"; b = "sphere:triangles=180"; quantities = "distance";
    trajectory = { kind = "sphere"; lo = 0.01; hi = 0.2; frames = 40; }; });
END
answers() {
    awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) time[i] = $i ~ /^time_/ }
        { for (i = 1; i <= NF; i++) if (!time[i]) printf "%s,", $i; print "" }' \
        "$1/s/exact-distance.csv" "$1/s/ist_voxels=8.csv" "$1/s/floor.csv"
}
"$proxbench" run small.cfg --quiet --cache cache --out whole >table 2>&1 || cat table
answers whole >expected
wc -l <expected
echo '# the disk becomes full at many moments: one line, the command that resumes, status 3; then there is room again'
for blocks in 1 20 25 30 35 40 45 50; do # in blocks of 512 bytes
    (
        trap '' XFSZ
        ulimit -f $blocks
        "$proxbench" run small.cfg --quiet --cache cache --out "full$blocks" >/dev/null 2>errors
        echo $? >status
    )
    [ "$(cat status)" = 0 ] && continue
    next="to continue: proxbench run --resume full$blocks"
    [ -e "full$blocks/manifest.csv" ] || next=
    [ "$(cat status)" = 3 ] && grep -q "^proxbench: error: cannot .*: File too large$" errors &&
        [ "$(sed 1d errors)" = "${next:+proxbench: $next}" ] || { echo "$blocks blocks: $(cat status errors)"; }
    [ "$next" ] || continue
    "$proxbench" run --resume "full$blocks" --quiet >table 2>&1 || cat table
    answers "full$blocks" | cmp - expected || echo "$blocks blocks: other answers"
    resumed="${resumed-} $blocks"
done
[ $(echo "${resumed-}" | wc -w) -ge 5 ] || echo 'too few limits were met in the middle of a run'
echo '# Ctrl-C, and again during the resume'
for i in 1 2 3; do
    if [ $i = 1 ]; then
        "$proxbench" run small.cfg --quiet --cache cache --out stopped --launches 80 >table 2>&1 &
    else
        "$proxbench" run --resume stopped --quiet >table 2>&1 &
    fi
    until [ -s stopped/s/floor.passes ] || ! kill -0 $! 2>/dev/null; do
        sleep 0.05
    done
    sleep 0.1
    kill -INT $! 2>/dev/null
    wait $!
    echo "[$?]"
done
awk -F, 'FNR == 1 { columns = NF } NF != columns { print "a broken row:", $0 }' stopped/cells.csv stopped/passes.csv
"$proxbench" run --resume stopped --quiet >table 2>&1 || cat table
answers stopped | cmp - expected
awk -F, '$2 == "floor" && $8 == "warm" { n[$5 "," $6]++ } END { for (k in n) c++; print c, "of 160 warm rounds" }' stopped/passes.csv
echo '# nothing is left to do: the files stay the same'
cp stopped/passes.csv before.csv
"$proxbench" run --resume stopped --quiet >table 2>&1 || cat table
cmp before.csv stopped/passes.csv
echo '# standard output is closed: the run is finished nevertheless'
{ "$proxbench" run small.cfg --quiet --cache cache --out piped 2>errors; echo "[$?]" >status; } | true
cat status errors
answers piped | cmp - expected
echo '# resume from another folder, after everything was moved, and after only the run was moved'
mkdir -p place/results/mine && cp small.cfg place
box place/a.off 0 0 0 1
head -n 3 stopped/trajectories/s.csv >place/t.csv
(cd place && "$proxbench" run --a a.off --b ./a.off --trajectory t.csv --quantity distance --mode smoke \
    --algorithm brute --quiet --cache ../cache --out results/mine >/dev/null 2>&1)
sed -n 's/^run,begun_in,//p' place/results/mine/manifest.csv
again() {
    rm -f "$1/cells.csv"
    (cd "${2-.}" && "$proxbench" run --resume "${3-$1}" --quiet 2>&1 >/dev/null) | sed "s|$PWD|HERE|g"
    wc -l <"$1/cells.csv"
}
again place/results/mine
again place/results/mine place results/mine
mkdir other && mv place other
again other/place/results/mine
cp -r other/place/results/mine alone
(cd other/place && "$proxbench" run --resume ../../alone --quiet 2>&1 >/dev/null)
again alone
echo '# runs that cannot be resumed'
run run --resume nowhere
mkdir empty && run run --resume empty
run run --resume stopped --mode bench
run run small.cfg --resume stopped
sed 's/frames = 40/frames = 41/' small.cfg >other.cfg && mv other.cfg small.cfg
cp -R stopped kept
run run --resume stopped --quiet
diff -r kept stopped && echo 'what was there is there'
echo '# the cache cannot be written'
echo text >nofolder
for command in "run small.cfg --quiet --out uncached --scenario s --algorithm floor" \
    "truth small.cfg/s --quantity distance --quiet" "replay whole --variant floor --frame 1" \
    "check small.cfg --against $proxbench --mode smoke --launches 8 --rounds 1 --algorithm floor --quiet"; do
    "$proxbench" $command --cache nofolder/cache >table 2>errors
    echo "${command%% *} [$?]"
    head -n 1 errors
done
"$proxbench" run small.cfg --quiet --out uncached2 --algorithm floor --no-cache 2>&1 >table
echo '# the results folder cannot be written'
run run small.cfg --quiet --cache cache --out /proc/proxbench
echo text >file
run run small.cfg --quiet --cache cache --out file/run
