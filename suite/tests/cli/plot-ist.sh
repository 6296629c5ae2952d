# check-all: draws every figure of inner sphere trees, in 40 s
# needs-command: gnuplot
# The figures of the IST paper, drawn by the scripts of the suite: for its experiments with small
# bodies, and for other runs, for which no numbers of the paper may be drawn.
. "$root/suite/tests/cli/plot.inc"

echo '# the experiments of the paper on small bodies'
for script in "$root"/scenarios/experiments/ist-*.cfg; do
    experiment=$(basename "$script" .cfg)
    grep -q '^figures' "$script" || continue # it has pictures of bodies only
    sed -e '/^pictures = ($/,/^);$/d' \
        -e 's/ a = "[^"]*"; b = "[^"]*";/ a = "torus:triangles=200"; b = "sphere:triangles=180";/' \
        -e 's/"press"/"glide"/; s/lo = 0.0;/lo = 0.01;/; s/frames = [0-9]*/frames = 12/; s/ step = [0-9.]*;//; s/hi = 0.5;/hi = 0.2;/' \
        -e '/^quick/ { :more; /};$/! { N; b more; }; d; }; s/lo = 0.4;/lo = 0.1;/' \
        -e 's/launches = .*/launches = 1;/; s/512/40/g; s/320/36/g; s/272/36/g; s/256/32/g; s/224/30/g; s/192/28/g; s/160/24/g' \
        -e 's/128/20/g; s/96/16/g; s/64/12/g; s/48/10/g; s/= 32/= 9/g; s/\[32/[8/g' "$script" >$experiment.cfg
    "$proxbench" run $experiment.cfg --mode smoke --out $experiment --quiet >logs/$experiment 2>&1 || cat logs/$experiment
    widths $experiment
    echo "$experiment: $(ls $experiment/drawn84/*.svg | wc -l) figures, $(grep -l '<text>paper' $experiment/drawn84/*.svg | wc -l) with numbers of the paper"
done
echo "# its figures on a run of another experiment have none of the paper's numbers"
pair spheres distance ist:voxels=16,ist:voxels=24
pair filled volume ist:voxels=16,ist:voxels=24
for figure in f7 f9 t3 a1; do
    widths spheres --figure ist-$figure
done
for figure in f8 f9 t1 t2 t3 a5; do
    widths filled --figure ist-$figure
done
ls --ignore=index.csv spheres/drawn84 filled/drawn84
grep -l '<text>paper' spheres/drawn*/*.svg filled/drawn*/*.svg
run plot spheres --figure ist-f6
run plot spheres --figure ist-a6
pair exact distance brute
run plot exact --figure ist-f7
