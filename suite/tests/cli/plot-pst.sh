# check-all: draws every figure of point-sphere trees, in 10 s
# needs-command: gnuplot
# The figures of point-sphere trees, drawn by the scripts of the suite: for their experiments, with
# small bodies and few voxels. Where figures use the default settings, bodies are thin instead, so
# that few cells are near them.
. "$root/suite/tests/cli/plot.inc"

while read -r experiment scenarios; do
    sed -E -e '/ a = /{/gear/!s/"[a-z-]+:triangles=[0-9]+"/"needle"/g}; / a = /s/"(bore|pin|sphere)/"\1:triangles=2000/g; s/=2000:s/=2000,s/' \
        -e 's/frames = [0-9]+/frames = 10/; s/("response"; frames) = 10/\1 = 260/; /^(baseline|launches|rounds|quick) = /d' \
        -e 's/; voxels = (64|\[32, 64, 128, 256\])|pst:voxels=64,//; s/(depth = )/voxels = 16; \1/; s/(clusters = \[)/shell-voxels = 8; voxels = 16; \1/' \
        -e 's/shell-voxels = \[32, 64, 128, 256\]/shell-voxels = [6, 8]; voxels = 16/; s/shell-voxels = (64|96)/shell-voxels = 8/; s/layers = 16/layers = 4/' \
        "$root/scenarios/experiments/$experiment.cfg" >$experiment.cfg
    "$proxbench" run $experiment.cfg --scenario "$scenarios" --mode smoke --warm-only --out $experiment --quiet >logs/$experiment 2>&1 || cat logs/$experiment
    "$proxbench" compare $experiment >/dev/null
    widths $experiment
    ls --ignore=index.csv $experiment/drawn84
done <<'END'
pst-t1 pin/tight
pst-t2 *
pst-x1 pump/*
pst-x2 pump/sphere,pin
pst-field unseen
pst-budget pump/sphere
END
