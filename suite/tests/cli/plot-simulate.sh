# check-all: it draws all figures of simulations
# needs-command: gnuplot
# Figures of a folder of simulations: none fails or warns, and no text leaves its picture, even if
# the bodies never touch.
. "$root/suite/tests/cli/plot.inc"
hand() { # hand NAME STEPS VARIANTS [OPTION]...
    name=$1 steps=$2 variants=$3
    shift 3
    "$proxbench" simulate --scene press --steps "$steps" --algorithm "$variants" --out "$name" --no-cache --quiet "$@" \
        >logs/"$name" 2>&1 || cat logs/"$name"
}
hand apart 30 exact-volume
hand touch 500 'exact-volume,vps:voxels=16,pst:voxels=16'
hand none 500 exact-pairs,exact-distance --response force
for name in apart touch; do
    run plot $name --format svg
    widths $name
done
run plot touch --figure simulation-forces --format pdf --out one
echo '# no variant has made a step; figures of runs cannot be drawn'
run plot none
run plot touch --figure frames
"$proxbench" run --a box --b box --trajectory touch/trajectories/press_exact-volume.csv --quantity distance --mode smoke \
    --algorithm exact-distance --out arun --quiet --no-cache >/dev/null 2>&1
run plot arun --figure simulation-forces
sed '2s/^press/..\/press/' touch/simulations.csv >other.csv && mv other.csv touch/simulations.csv
run plot touch
