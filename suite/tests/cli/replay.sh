# Asks a frame of a run again, alone: the bits are equal, in every scenario and variant, and
# differences are named.
cp "$root/scenarios/experiments/smoke.cfg" .
sed -i 's/^  "floor",/  "floor", { algorithm = "exact-distance"; start = ["cold", "last"]; }, "exact-volume",/' smoke.cfg
"$proxbench" run smoke.cfg --quiet --cache cache --out all >/dev/null 2>log || cat log
echo '# each cell: the first, a middle or the last frame'
sed 's/"\([^",]*\),\([^",]*\)"/\1;\2/g' all/cells.csv |
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        NR > 1 {gsub(";", ",", $at["variant"]); print $at["scenario"], $at["variant"], $at["frames_count"]}' >cells
replayed=0
while read -r scenario variant frames; do
    case $((replayed % 3)) in
    0) frame=0 ;;
    1) frame=$((frames / 2)) ;;
    2) frame=$((frames - 1)) ;;
    esac
    "$proxbench" replay all --scenario "$scenario" --variant "$variant" --frame $frame >rows 2>&1
    status=$?
    equal=$(grep -c '^compared,equal,$' rows)
    [ "$status $equal" = '0 1' ] || { echo "$scenario $variant $frame: $status"; cat rows; }
    replayed=$((replayed + 1))
done <cells
echo "$replayed frames"
echo '# a state is restored by asking the frames before'
run replay all --scenario grid --variant exact-distance:start=last --frame 5 |
    grep -E '^(variant|frame|compared|distance_m|\[)' | sed 's/distance_m,\(.*\),\1$/distance_m, as recorded/'
run replay all --scenario grid --variant exact-distance --frame 5 | grep frames_asked

echo '# times of stages are no part of the answer'
cat >touch.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,0.05,0,0,0,0,0,1
END
"$proxbench" run --a torus:triangles=500 --b sphere:triangles=320 --trajectory touch.csv --quantity depth \
    --algorithm lpd --mode smoke --quiet --cache cache --out stages >/dev/null 2>log || cat log
run replay stages --frame 0 --cache cache | grep -E '^(compared|\[)'

echo '# frames selected by their recorded values'
worst() { # COLUMN FILE: prints the frame with the largest magnitude
    awk -F, -v column="$1" 'NR == 1 {for (i = 1; i <= NF; i++) c = $i == column ? i : c; next}
        {x = $c < 0 ? -$c : +$c; if (NR == 2 || x > most) {most = x; frame = NR - 2}} END {print frame}' "$2"
}
chosen() {
    "$proxbench" replay all --scenario press --variant ist:voxels=8 --frame "$1" | sed -n 's/^frame,\(.*\),$/\1/p'
}
[ "$(chosen worst-time)" = "$(worst time_min_ns all/press/ist_voxels=8.csv)" ] || echo 'not the slowest'
[ "$(chosen worst-error)" = "$(worst volume_error_rel all/press/ist_voxels=8.csv)" ] || echo 'not the worst'
run replay all --scenario press --variant floor --frame worst-error

echo '# a run of one pair needs no names; a changed record is found'
box a.off 1 1 1 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,4,1.25,1.5,0,0,0,1
1,1,2.5,3.5,1,0,0,0.6,0.8
END
"$proxbench" run --a a.off --b b.off --trajectory t.csv --quantity distance --algorithm brute --mode smoke \
    --quiet --cache cache --out own >/dev/null 2>&1
untimed() { run "$@" | sed '/^time_/s/,[0-9]*$/,TIME/'; }
untimed replay own --frame 0
cp -r own doctored
sed -i '2s/,2,/,2.0000000000000004,/; 2s/,144,/,145,/' doctored/pair/brute.csv
untimed replay doctored --frame 0
run replay doctored --frame 1 --out rows.csv
cat rows.csv | grep compared
echo '# the cell has no record: it may have crashed'
rm doctored/pair/brute.csv
run replay doctored --frame 0 | grep -E '^(compared|distance|truth|\[)'
run replay doctored --frame worst-time

echo '# a twin is the variant itself'
"$proxbench" run --a a.off --b b.off --trajectory t.csv --quantity distance --algorithm floor,brute \
    --mode bench --quiet --cache cache --out twins >/dev/null 2>&1
run replay twins --variant brute@twin --frame 1 | grep -E '^(variant|compared|\[)'
run replay twins --variant brute@twain --frame 1
echo '# a copy that ran old code is not the variant itself'
sed -i 's/brute@twin,/brute@base,/; s/,brute_twin,/,brute_base,/' twins/cells.csv
mv twins/pair/brute_twin.csv twins/pair/brute_base.csv
run replay twins --variant brute@base --frame 1 | grep -E '^(variant|compared|proxbench|\[)'

echo '# the OBJ file has both bodies at their poses: A as in its file, B turned about z by cos 0.28, sin 0.96'
run replay own --frame 1 --obj own.obj | grep -E 'obj|spheres|witness|\['
grep -v '^[vf]' own.obj
sed -n 's/^v //p' own.obj | head -n 8 >vertices
sed -n '3,10p' a.off | cmp - vertices
sed -n 's/^v //p' own.obj | sed -n 9,16p | awk '
    {i = NR - 1; x = i % 2; y = int(i / 2) % 2; z = int(i / 4)
     e = ($1 - 2.5 - 0.28 * x + 0.96 * y) ^ 2 + ($2 - 3.5 - 0.96 * x - 0.28 * y) ^ 2 + ($3 - 1 - z) ^ 2
     if (e > 1e-30) print "vertex", NR, "is off by", sqrt(e)}'
run mesh info own.obj | grep -E '^(triangles|vertices|\[)'
"$proxbench" replay all --scenario tumble --variant ist:voxels=16 --frame 3 --obj t.obj --spheres 400 |
    grep ^spheres
run mesh info t.obj | grep -E '^(triangles|vertices|unused|\[)'
grep '^g' t.obj
run replay own --frame 0 --obj nowhere.d/x.obj --out /dev/full

echo '# a replay needs the same quantity'
hashes() { sed -E 's/[0-9a-f]{32}/HASH/g; s/[0-9a-f]{16}/HASH/g'; }
box b.off 0 0 0 1.5
run replay own --frame 0 | hashes
box b.off 0 0 0 1
cp -r own moved
sed -i '3s/,2.5,/,2.25,/' moved/trajectories/pair.csv
run replay moved --frame 0 | hashes
head -n 2 moved/trajectories/pair.csv >short && mv short moved/trajectories/pair.csv
run replay moved --frame 0
mv b.off c.off
run replay own --frame 0

echo '# each error is one line'
run replay all --scenario tumbel --variant ist:voxels=8 --frame 0
run replay all --scenario tumble --variant ist:voxels=9 --frame 0
run replay all --scenario tumble --variant ist:radius=secondary,voxels=8 --frame 0 | grep '^variant'
run replay all --scenario tumble --variant brute --frame 0
run replay all --scenario tumble --frame 0
run replay all --frame 0
run replay all --scenario tumble --variant floor --frame 16
run replay all --scenario tumble --variant floor --frame 1.5
run replay all --scenario tumble --variant floor --frame worst-tim
run replay nowhere --frame 0
run replay cache --frame 0
run replay all
run replay own --frame 0 --obj -
run replay --frame 0
