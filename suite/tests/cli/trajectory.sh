# Samplers reach the requested values and repeat by their seed, and recordings are imported
# unchanged.
box a.off 1 1 1 1
box b.off 0 0 0 1
pair='--a a.off --b b.off'
make() {
    "$proxbench" trajectory "$@" --quiet || echo "[$?]"
}
make sphere $pair --lo 0.1 --hi 0.4 --frames 4 --seed 3 >one.csv
head -n 1 one.csv
make sphere $pair --lo 0.1 --hi 0.4 --frames 4 --seed 3 | cmp - one.csv
make sphere $pair --lo 0.1 --hi 0.4 --frames 4 --seed 3 --out made/two.csv
cmp one.csv made/two.csv
make sphere $pair --lo 0.1 --hi 0.4 --frames 4 --seed 4 | cmp -s - one.csv && echo 'the seed has no say'
echo '# their distances, in diagonals of A'
"$proxbench" truth $pair --trajectory one.csv --quantity distance --no-cache |
    awk -F, 'NR > 1 {printf "%.6f\n", $2 / sqrt(3)}'
echo '# their volumes'
make sphere $pair --target volume --lo 0.1 --hi 0.4 --frames 4 >volume.csv
"$proxbench" truth $pair --trajectory volume.csv --quantity volume --cache c |
    awk -F, 'NR > 1 {printf "%.4f\n", $4}'
echo '# all kinds'
for kind in grid glide press tumble; do
    hi='--hi 0.2'
    [ $kind = tumble ] && hi=
    make $kind $pair --lo 0.1 $hi --frames 80 >kind.csv
    [ "$(wc -l <kind.csv)" -ge 70 ] || echo "$kind: too few frames"
    "$proxbench" truth $pair --trajectory kind.csv --quantity distance --no-cache >/dev/null ||
        echo "$kind: [$?]"
done
echo '# invalid limits are refused; --lo is 0 by default'
make sphere $pair --hi 0.4 --frames 2 | sed -n 2p | cut -d, -f10,11
make tumble $pair --frames 2 | wc -l
run trajectory tumble $pair --lo 0.1 --hi 0.2
run trajectory tumble $pair --step 0.1
run trajectory sphere $pair --hi 0.2 --step 0.1
run trajectory boxes $pair --lo 0.1
run trajectory boxes $pair --target volume
run trajectory sphere $pair --hi 1001
run trajectory glide $pair --hi 0.2 --step 2
run trajectory glide $pair --hi 0.2 --step 0
run trajectory glide $pair --lo 0.2
run trajectory press $pair --hi 0.2 --hold 2
run trajectory press $pair --hi 0.2 --frames 0
run trajectory press $pair --hi 0.2 --frames 10
run trajectory glide $pair --hi 0.2 --hold 0
run trajectory glide $pair --hi 0.2 --hold 101

echo '# held poses equal the free ones, also in an experiment, sampled again or from the cache'
poses() { cut -d, -f3-9 | sed 1d; }
make glide $pair --lo 0.1 --hi 0.2 --frames 3 | poses | sed p >twice
make glide $pair --lo 0.1 --hi 0.2 --frames 3 --hold 2 | poses | cmp - twice
cat >held.cfg <<'END'
name = "held"; mode = "smoke"; variants = ("floor");
scenarios = ( { name = "once"; a = "a.off"; b = "b.off"; quantities = "distance";
    trajectory = { kind = "glide"; lo = 0.1; hi = 0.2; frames = 3; }; },
  { name = "twice"; a = "a.off"; b = "b.off"; quantities = "distance";
    trajectory = { kind = "glide"; lo = 0.1; hi = 0.2; frames = 3; hold = 2; }; } );
END
for time in first second; do
    "$proxbench" run ./held.cfg --cache kept --quiet --out $time >log 2>&1 || cat log
    poses <$time/trajectories/once.csv | sed p | cmp - twice
    poses <$time/trajectories/twice.csv | cmp - twice
done

echo '# thin plates that are rotated in their files have poses at every volume'
# plate FILE LY LZ: writes a plate of 0.885 x LY x LZ, 5 mm thick, turned about x by the angle of
# cosine LY and sine LZ
plate() {
    awk -v c="$2" -v s="$3" 'BEGIN {
        print "OFF\n8 12 0"
        for (i = 0; i < 8; i++) {
            x = 0.885 * (i % 2); y = 0.005 * (int(i / 2) % 2); z = 0.3375 * int(i / 4)
            printf "%.17g %.17g %.17g\n", x, c * y - s * z, s * y + c * z
        }
        print "3 0 2 1\n3 1 2 3\n3 4 5 6\n3 5 7 6\n3 0 1 4\n3 1 5 4"
        print "3 2 6 3\n3 3 6 7\n3 0 4 2\n3 2 4 6\n3 1 3 5\n3 3 7 5"
    }' >"$1"
}
plate p.off 0.9756 0.2196
plate q.off 0.96 -0.28
make sphere --a p.off --b q.off --target volume --lo 0.1 --hi 0.9 --frames 9 >plates.csv
"$proxbench" truth --a p.off --b q.off --trajectory plates.csv --method flux --no-cache |
    awk -F, 'NR > 1 {printf "%s %.3g\n", $1, 1e6 * $4}'
echo '# frames without a possible pose are left out: a ball that is thicker than the wall'
"$proxbench" model box:scale=4 --out outer.off
"$proxbench" model box:scale=3.7 --out inner.off
awk 'FNR == 1 {file++} /^OFF/ || FNR == 2 {next} NF == 3 {v[n++] = $0; next}
     file == 1 {f[m++] = $0; next} {f[m++] = $1 " " $2 + 8 " " $4 + 8 " " $3 + 8}
     END {print "OFF\n" n, m, 0; for (i = 0; i < n; i++) print v[i]; for (i = 0; i < m; i++) print f[i]}' \
    outer.off inner.off >hollow.off
"$proxbench" mesh check hollow.off | grep solid
wall='--a hollow.off --b sphere:triangles=80,scale=0.25 --target volume'
run trajectory sphere $wall --lo 0.1 --hi 1 --frames 10 --quiet --out walls.csv
cut -d, -f1,2 walls.csv | sed 1d
run trajectory sphere $wall --lo 0.95 --hi 1 --frames 3 --quiet
echo '# a pose that is left out counts once, however long it would be held'
run trajectory sphere $wall --lo 0.1 --hi 1 --frames 10 --hold 3 --quiet --out walls.csv
tail -n +2 walls.csv | wc -l

echo '# recordings'
printf '# a comment\n10 1 2 3 0 0 0 1\n10.5 1 2 4 0 0 0 1\n' >tum.txt
printf '1 0 0 1 0 1 0 2 0 0 1 3\n1 0 0 1 0 1 0 2 0 0 1 4\n' >kitti.txt
printf '#t,x,y,z,qw,qx,qy,qz\n1000000000,1,2,3,1,0,0,0\n1500000000,1,2,4,1,0,0,0\n' >euroc.csv
printf '2\n1 0 0\n0 1 0\n0 0 1\n1 2 3\n1 0 0\n0 1 0\n0 0 1\n1 2 4\n' >pqp.txt
for file in tum.txt kitti.txt euroc.csv pqp.txt; do
    "$proxbench" trajectory import ${file%.*} $file | cut -d, -f1-9
done
make follow tum tum.txt $pair --lo 0.1 --hi 0.2 --frames 5 | wc -l
run trajectory import tum kitti.txt
run trajectory import kiti kitti.txt
echo '# two tracked bodies: inverse of A times B at the times of A'
printf '1 10 20 30 0 0 0.70710678118654757 0.70710678118654757\n' >a.tum
printf '2 10 21 30 0 0 0.70710678118654757 0.70710678118654757\n' >>a.tum
printf '9 10 21 30 0 0 0 1\n' >>a.tum
printf '0 10 22 31 0 0 1 0\n4 10 26 31 0 0 1 0\n' >b.tum
# rounded FILE ARGUMENT...: prints rounded poses
rounded() {
    "$proxbench" trajectory "$@" | awk -F, 'NR > 1 {
        printf "%s", $2; for (i = 3; i <= 9; i++) printf " %.3f", $i * $i < 1e-9 ? 0 : $i; print ""}'
}
rounded import tum --pose-a a.tum --pose-b b.tum 2>warned
cat warned
rounded import tum --pose-a a.tum --pose-b b.tum --mount-a 1,0,0,0,0,0,1 --mount-b '0, 0, 0.5, 0, 0, 0, 1' 2>/dev/null
rounded import tum b.tum --mount-a 10,20,30,0,0,0,1
"$proxbench" trajectory import tum --pose-a a.tum --pose-b b.tum 2>/dev/null | sed -n 2p | cut -d, -f12
make follow tum --pose-a a.tum --pose-b b.tum $pair --hi 0.2 --frames 5 2>/dev/null | wc -l
run trajectory import tum b.tum --pose-a a.tum
run trajectory import tum --pose-a a.tum
run trajectory import tum --pose-a a.tum --pose-b tum.txt
run trajectory import tum b.tum --mount-b 1,2,3
run trajectory import tum b.tum --a a.off
run trajectory sphere $pair --hi 1 --mount-a 0,0,0,0,0,0,1

echo '# a recording must be imported first; frame numbers and times may be missing, and blanks are allowed'
for file in tum.txt kitti.txt euroc.csv pqp.txt; do
    run truth $pair --trajectory $file --quantity distance --no-cache
done
printf 'x_m, y_m, z_m, qx, qy, qz, qw\n 4, 1.25, 1.5, 0, 0, 0, 1\n 5,1.25 , 1.5,0,0,0,1\n' >bare.csv
"$proxbench" truth $pair --trajectory bare.csv --quantity distance --no-cache |
    sed 1d | cut -d, -f1,2
"$proxbench" trajectory import csv bare.csv | cut -d, -f1-3
