# check-all: it draws for a minute
# needs-command: gnuplot
# The figures of the VPS paper, drawn by the scripts of the suite: for its experiments with small
# bodies, and for other runs, for which no numbers of the paper may be drawn.
. "$root/suite/tests/cli/plot.inc"

echo '# the experiments of the paper on small bodies'
for script in "$root"/scenarios/experiments/vps-[tfx][0-9]*.cfg; do
    experiment=$(basename "$script" .cfg)
    grep -q '^figures' "$script" || continue # it has pictures of bodies only
    sed -E -e '/^quick = /d; s/artificial:triangles=7088/torus:triangles=200/g; s/(brake|car|coral|bolt|pump-housing|quadruped|nut|sphere):triangles=[0-9]+/sphere:triangles=180/g' \
        -e 's/frames = [0-9]*/frames = 8/; s/ step = [0-9.]*;//; s/layers = [0-9]+/layers = 4/; s/"spectrogram", //' \
        -e 's/voxels = \[[^]]*\]/voxels = [8, 12, 16]/g; s/voxels = [0-9]+/voxels = 12/g' "$script" >$experiment.cfg
    "$proxbench" run $experiment.cfg --mode smoke --out $experiment --quiet >logs/$experiment 2>&1 || cat logs/$experiment
    "$proxbench" compare $experiment >/dev/null
    widths $experiment
    echo "$experiment: $(ls $experiment/drawn84/*.svg | wc -l) figures, $(grep -l '<text>paper' $experiment/drawn84/*.svg | wc -l) with numbers of the paper"
done
echo "# its figures on a run of another experiment have none of the paper's numbers"
cat >builds.cfg <<'END2'
name = "builds"; mode = "smoke"; builds = "timed";
variants = ({ algorithm = "vps"; generator = ["old", "paper"]; shell-voxels = 12; voxels = 16; },
  { algorithm = "vps"; generator = "paper"; navigation = "first"; shell-voxels = 12; voxels = 16; });
scenarios = ({ name = "pair"; a = "torus:triangles=200"; b = "sphere:triangles=180"; quantities = "contact"; trajectory = ((1, 0, 0)); });
END2
"$proxbench" run builds.cfg --out builds --quiet >logs/builds 2>&1 || cat logs/builds
"$proxbench" compare builds >/dev/null
for figure in t1-a f5 f6 f7 x1 x4 x5; do
    widths builds --figure vps-$figure
done
ls --ignore=index.csv builds/drawn84
grep -l '<text>paper' builds/drawn*/*.svg
run plot builds --figure vps-x2
run plot builds --figure vps-x6
