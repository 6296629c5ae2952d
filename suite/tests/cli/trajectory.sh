# Samplers reach the values asked for, repeat by their seed, and recordings come in as they are.
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
    make $kind $pair --lo 0.1 --hi 0.2 --frames 80 >kind.csv
    [ "$(wc -l <kind.csv)" -ge 70 ] || echo "$kind: too few frames"
    "$proxbench" truth $pair --trajectory kind.csv --quantity distance --no-cache >/dev/null ||
        echo "$kind: [$?]"
done

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
