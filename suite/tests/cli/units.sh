# Meshes are in metres unless there is a scale, which is part of the identity of the pair.
box mm.off 0 0 0 100
box m.off 0 0 0 0.1
cp mm.off colon:mm.off
cp m.off mm:scale=7.off
printf 'x_m,y_m,z_m,qx,qy,qz,qw\n0.4,0,0,0,0,0,1\n0.05,0,0,0,0,0,1\n' >t.csv
truth() {
    "$proxbench" truth --trajectory t.csv --method bvh,flux --cache c "$@" || echo "[$?]"
}
echo '# a file in millimetres, scaled in either way, equals the file in metres'
truth --a m.off --b m.off >metres.csv
sed 1d metres.csv | cut -d, -f1,2,4
truth --a mm.off --scale-a 0.001 --b mm.off:scale=0.001 | cmp - metres.csv
truth --a mm.off:scale=0.001 --b mm.off --scale-b 1e-3 | cmp - metres.csv
truth --a colon:mm.off --scale-a 0.001 --b ./colon:mm.off:scale=0.001 | cmp - metres.csv
echo '# an existing file whose name looks like a reference is read as a file'
truth --a mm:scale=7.off --b m.off | cmp - metres.csv
"$proxbench" mesh info mm:scale=7.off | grep box_hi
"$proxbench" mesh info mm.off:scale=8 | grep box_hi
echo '# scale 1 changes nothing, and each scale has its own cache entry'
truth --a m.off --scale-a 1 --b m.off:scale=1 | cmp - metres.csv
truth --a m.off --b m.off --scale-b 0.5 | sed 1d | cut -d, -f1,2,4
echo '# scales that differ by a thousand are refused'
run truth --a mm.off --b m.off --trajectory t.csv --quantity distance --no-cache 2>&1 | head -n 2
run query --algorithm brute --a m.off --b mm.off --scale-b 1e-2 --pose 0.4,0,0,0,0,0,1
run query --algorithm brute --a m.off:scale=1e-7 --b m.off --pose 0.4,0,0,0,0,0,1
echo '# a run, its manifest and its replay'
"$proxbench" run --a mm.off --scale-a 0.001 --b mm.off:scale=0.001 --trajectory t.csv --quantity distance \
    --algorithm ' brute , floor' --mode smoke --cache c --quiet --out r >/dev/null 2>&1 || echo "[$?]"
grep -E '^pair,[ab],' r/manifest.csv
cut -d, -f1,2 r/cells.csv
"$proxbench" replay r --variant brute --frame 0 --no-cache | grep -E '^(compared|distance_m)'
echo '# model writes the scaled mesh'
"$proxbench" model mm.off:scale=0.001,x=1 | "$proxbench" mesh info - | grep box
echo '# invalid scales'
for scale in 0 -1 nan 1e99 two; do
    run query --algorithm brute --a m.off --b m.off --scale-a $scale --pose 1,0,0,0,0,0,1
    run mesh info m.off:scale=$scale
done
run query --algorithm brute --a m.off:scale=2 --b m.off --scale-a 3 --pose 1,0,0,0,0,0,1
run mesh info m.off:scale=1e30
run mesh info m.off:triangles=20
run mesh info none.off:scale=2
run truth bench/bolt --scale-a 2
run run bench --scale-b 2
run trajectory sphere --a m.off --b m.off --scale-b 0 --hi 1

echo '# a trajectory that was made with a scale, and a run without it'
"$proxbench" trajectory press --a mm.off --b mm.off --scale-a 0.001 --scale-b 0.001 --hi 0.2 \
    --quiet --out scaled.csv
for scale in '--scale-a 0.001 --scale-b 0.001' ''; do
    "$proxbench" truth --a mm.off --b mm.off $scale --trajectory scaled.csv --quantity distance \
        --no-cache 2>&1 >distances | sed 's/^proxbench: //'
    wc -l <distances
done
