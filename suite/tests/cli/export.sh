# Exported sets: their files, read back to the bit, damaged ones refused, judged and run again.
cat >own.cfg <<'END'
name = "own"; mode = "smoke"; variants = ( "exact-distance", "exact-volume" );
scenarios = (
  { name = "gap"; a = "torus:triangles=200"; b = "sphere:triangles=80"; quantities = "distance";
    tolerance = "distance_error_rel=0.02"; trajectory = { kind = "grid"; lo = 0.0; hi = 0.05; frames = 6; }; },
  { name = "dip/volume"; a = "box:x=0.5"; b = "cone:triangles=200"; quantities = "volume";
    trajectory = { kind = "glide"; target = "volume"; lo = 0.01; hi = 0.1; frames = 4; }; },
  { name = "dip/other"; a = "cube"; b = "cube"; quantities = "contact"; trajectory = ( (0.1, 0, 0), (0.2, 0, 0) ); }
);
END
run export own.cfg/gap 'own.cfg/dip/*' --out set --quiet
(cd set && find . -type f | sort && sed -n '/^name/,$p' set.cfg && sed -n '/^| scenario/,/^$/p' README.md)
cut -d, -f1-3,7,8,20,21,25 set/dip/volume/truth.csv | head -2
grep -c . set/hashes.txt
sed -n '/^## Licence/,/^## How to cite/p' set/README.md

echo '# the same experiment: meshes, poses and truth'
run import set --verify --quiet
run run set/set.cfg --mode smoke --scenario gap --out run --quiet >run.txt
tail -1 run.txt
"$proxbench" run own.cfg --scenario gap --out again --quiet >again.txt 2>&1
for run in run again; do
    csv_columns $run/manifest.csv section key value | grep '^gap|\(a_hash\|b_hash\|poses_hash\)' >$run.hashes
    csv_columns $run/cells.csv answers_hash >>$run.hashes
done
cmp run.hashes again.hashes && echo same

echo '# a set of one quantity, and of a pair of files'
run export own.cfg/dip/volume --quantity distance --licence 'CC0 1.0' --out small --quiet
sed -n 2p small/dip/volume/truth.csv | awk -F, '{ print ($4 == "" ? "no volume" : "volume") }'
grep 'CC0' small/README.md
cube_poses
run export --a a.off --b a.off --trajectory t.csv --quantity distance,volume --out pair --quiet
ls pair pair/pair
grep -A1 '^## Licence' -A2 pair/README.md | tail -1 | cut -c1-60
run import pair --quiet

echo '# damaged sets'
damaged() {
    rm -rf bad
    cp -r set bad
    (cd bad && eval "$1")
    run import bad --quiet
}
damaged 'sed -i "2s/0/1/" gap/truth.csv'
damaged 'rm gap/a.off'
damaged 'rm hashes.txt'
damaged 'echo "00  ../own.cfg" >>hashes.txt'
damaged 'echo "no list" >hashes.txt'
# A set that was changed together with its hashes contradicts the truth, or its own facts.
rehash() {
    grep -v " $1\$" hashes.txt >kept
    mv kept hashes.txt
}
damaged 'sed -i "2s/^0,[^,]*,[^,]*/0,1,1/" gap/truth.csv; rehash gap/truth.csv'
run import bad --verify --quiet
damaged 'sed -i "3s/0/1/" gap/a.off; rehash gap/a.off'
damaged 'sed -i "\$d" gap/truth.csv; rehash gap/truth.csv'
damaged 'sed -i "2s/^0,/7,/" gap/truth.csv; rehash gap/truth.csv'

echo '# arguments'
run export own.cfg/gap
run export --out new
run export own.cfg/gap --a a.off --out new
run export own.cfg/nothing --out new
run export own.cfg/gap own.cfg/gap --out new2 --quiet
run export own.cfg/gap --out set
run import
run import nowhere
