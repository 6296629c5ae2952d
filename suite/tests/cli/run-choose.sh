# Selection of the parts of an experiment that are run, and the folder of the results.
cp "$root/scenarios/experiments/smoke.cfg" .
go() {
    out=$1
    shift
    run run smoke.cfg --quiet --cache cache --out "$out" "$@" |
        sed -E 's/^([^ ]+) +([^ ]+) +([^ ]+) .*  ([a-z].*)$/\1 \2 \3 \4/'
}
go one --scenario grid --algorithm 'ist:v*,floor'
ls one one/grid
go two --scenario 'g*' --algorithm 'ist:radius=primary,voxels=16,floor' --timeout 50
echo '# an unknown name is refused and makes no folder'
go three --scenario grid,gird
go three --algorithm 'floor,brut'
go three --algorithm 'ist'
go three --algorithm 'ist?'
go three --baseline ist:voxels=17
go three --scenario grid --quantity volume
go three --timeout -1
go three --timeout 1e300
go three --mode fast
go three --seed -1
sed 's/voxels = \[8, 16\]/voxel = [8, 16]/' smoke.cfg >slip.cfg
run run slip.cfg --quiet --out three
sed 's/voxels = \[8, 16\]/voxels = [8, 16000]/' smoke.cfg >slip.cfg
run run slip.cfg --quiet --out three
sed 's/^seed/baseline = "ist:voxels=17"; seed/' smoke.cfg >slip.cfg
run run slip.cfg --quiet --out three
sed 's/^seed/baseline = "ist:voxel=16"; seed/' smoke.cfg >slip.cfg
run run slip.cfg --quiet --out three
sed 's/"floor",/"floor", { algorithm = "fcl"; optional = true; },/; s/^seed/baseline = "fcl"; seed/' \
    smoke.cfg >peer.cfg
run run peer.cfg --quiet --cache cache --scenario grid --algorithm 'fc*' --out three
echo '# the baseline is spelled in another way'
sed 's/^seed/baseline = "ist:radius=secondary,voxels=16"; seed/' smoke.cfg >spelt.cfg
"$proxbench" run spelt.cfg --quiet --cache cache --scenario grid --algorithm 'ist:v*' --out spelt \
    >/dev/null 2>&1
cut -d, -f2,3 spelt/passes.csv
echo '# the option --mode overrides launches and rounds of the file; --launches and --rounds override both'
sed 's/^seed/launches = 3; rounds = 2; seed/' smoke.cfg >often.cfg
plan() {
    "$proxbench" run often.cfg --quiet --cache cache --scenario grid --algorithm floor --out plan "$@" \
        >/dev/null 2>&1
    sed -n 's/^grid,\(launches\|rounds_per_launch\),/\1 /p' plan/manifest.csv
    rm -r plan
}
plan
plan --mode smoke
plan --mode ci --launches 2
plan --mode smoke --rounds 4
ls -d three 2>/dev/null
box a.off 0 0 0 1
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,2,0,0,0,0,0,1\n' >t.csv
own() {
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quiet --cache cache \
        --quantity distance "$@" 2>&1
    echo "[$?]"
}
own --scenario pair --algorithm floor
echo '# a variant that is named several times takes part once'
own --out four --mode smoke --algorithm 'floor,brute,bru*,floor,brute' | awk '{ print $1, $3 }'
wc -l <four/cells.csv
sed -n 's/^run,command,//p' four/manifest.csv
echo '# each run has its own folder, and a link leads to the last one'
for i in 1 2 3; do
    own --mode smoke --algorithm floor >/dev/null
done
ls -d results/own-* | wc -l
[ "results/$(readlink results/own)" = "$(ls -d results/own-* | sort -V | tail -n 1)" ] &&
    echo 'the last one'
echo '# a run that fails before its first frame does not hide the last one'
before=$(readlink results/own)
echo rubbish >broken.off
own --a broken.off --mode smoke --algorithm floor 2>&1 | tail -2
[ "$(readlink results/own)" = "$before" ] && ls -d results/own-* | wc -l
rm results/own
echo mine >results/own
own --mode smoke --algorithm floor | sed -E 's/[0-9]{8}-[0-9]{6}(-[0-9])?/TIME/; s/ +[0-9.]+ (ns|us|ms)/ TIME/g'
cat results/own
echo '# folders that cannot be made'
go /dev/null/x --scenario grid
go smoke.cfg --scenario grid
"$proxbench" run smoke.cfg --scenario grid --out "$(printf '%01100d' 0)" 2>&1
echo "[$?]"
echo '# the disk is full, and the table cannot be written'
(
    trap '' XFSZ
    ulimit -f 1
    "$proxbench" run smoke.cfg --scenario grid --quiet --cache cache --out full 2>&1
    echo "[$?]"
) | cat
find full -name '*.part'
"$proxbench" run smoke.cfg --scenario grid --quiet --cache cache --out mute 2>&1 >/dev/full
echo "[$?]"
echo '# variants and tolerances of one scenario'
scenario() { # KEYS
    cat >own.cfg <<END
name = "own"; mode = "smoke"; variants = ("brute", "exact-distance", { algorithm = "nowhere"; optional = true; });
scenarios = ({ name = "all"; a = "box"; b = "box"; quantities = "distance"; trajectory = ((0.3, 0, 0)); },
    { name = "some"; a = "box"; b = "box"; quantities = "distance"; $1 trajectory = ((0.3, 0, 0)); });
END
    rm -rf chosen
    "$proxbench" run ./own.cfg --quiet --no-cache --out chosen 2>&1 >/dev/null | grep error
    [ ! -e chosen ] || cut -d, -f1,2 chosen/cells.csv
}
scenario 'variants = "brute, nowhere*"; tolerance = "distance_error_rel=0.5";'
scenario 'variants = "brut";'
scenario 'tolerance = "distance_err_rel=0.5";'
