# needs-command: gnuplot
# check-all: it draws fifty pictures; report and plot-simulate draw some of them in check
# The scripts of the suite on small runs of every kind: none fails, none warns, and no text leaves
# its picture or overlaps other text, on the screen and in the columns of a paper.
. "$root/suite/tests/cli/plot.inc"

echo '# one variant, only exact answers, contact, many variants with long names'
pair alone volume ist:voxels=16
pair exact distance brute
pair touch contact brute,ist:voxels=16
pair many distance,volume "brute,ist:voxels=16,ist:voxels=32,ist:voxels=24,ist:packing=cover,voxels=16,\
ist:packing=cover,start=last,voxels=24,ist:branching=8,directions=cones,min-radius=1.5,radius=centroid,voxels=24,\
ist:branching=2,clustering=neighbours,hierarchy=layered,packing=refined,voxels=16,ist-triangles:packing=cover,voxels=16,\
ist-exact:packing=cover,voxels=16,bounds-budget:budget=500,cells=16,voxels=24,ist:min-radius=1.5,radius=primary,voxels=24,\
ist:radius=primary,voxels=16,ist:branching=16,voxels=16,ist-triangles:packing=cover,voxels=24,ist:start=last,voxels=32"
for name in alone exact touch many; do
    if [ $name = alone ]; then
        run plot $name
    else
        run plot $name --format svg
    fi
    widths $name
done
ls alone/pareto.csv alone/compare.csv
echo '# nothing to draw'
pair idle distance floor
run plot idle
echo '# the bodies overlap in every frame, so the distance separates no variants'
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,0.01,0,0,0,0,0,1\n1,1,0.02,0,0,0,0,0,1\n' >over.csv
"$proxbench" run --a sphere:triangles=180 --b sphere:triangles=180 --trajectory over.csv --quantity distance,volume \
    --algorithm exact-volume,brute,ist:voxels=16 --mode smoke --cache cache --quiet --out over >/dev/null 2>&1
"$proxbench" plot over --format svg >drawn 2>&1
grep -c distance drawn
grep -c volume drawn
echo '# a column of a file is no figure, and neither is a quantity that was not asked'
run plot touch --figure ist-f9
run plot alone --figure pareto --no-title --format svg
grep -c 'smoke run' alone/figures/pair-volume-pareto.svg
echo '# the figure has as many approaches as the experiment'
experiment=$root/scenarios/experiments/imp-f6.cfg
sed -e 's/ a = "[^"]*"; b = "[^"]*";/ a = "torus:triangles=200"; b = "sphere:triangles=180";/; s/= 1200/= 120/' "$experiment" >ways.cfg
"$proxbench" run ways.cfg --mode smoke --out ways --quiet >logs/ways 2>&1 || cat logs/ways
widths ways --figure imp-f6
ways=$(sed -n 's/.*ways = \([0-9]*\);.*/\1/p' "$experiment" | sort -u)
for picture in ways/drawn84/*.svg; do
    grep -o '<text>[^<]*random approaches' "$picture" | sed "s/ $ways random/ as many random/"
done
echo '# all verdicts are right: each variant has its row, and no panel has only one colour'
pair right contact exact-pairs,exact-distance,pst --mode ci
"$proxbench" plot right --format svg | grep -c ',drawn'
for figure in pareto frames; do
    grep -o '<text>[^<]*verdict[^<]*' right/figures/pair-contact-$figure.svg
done
grep -c '<text>exact-pairs' right/figures/pair-contact-pareto.svg
echo '# one picture for all scenarios, with the variants that are within the tolerance in one of them'
run plot many --figure performance --format svg
widths many --figure performance
cut -d, -f1-4 many/figures/index.csv | grep performance
echo '# labels of haptic rates stand in one row, also 1 ms behind faster frames; no curve lies at 0 %'
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    { $at["time_ns"] = NR % 2 ? 30000 : 150000 } $at["variant"] == "pst" { $at["fraction_within_tolerance"] = 0 } 1' \
    right/deadline.csv >slow.csv && mv slow.csv right/deadline.csv
"$proxbench" plot right --format svg --figure deadline
awk -F'[,)]' '/rgb\(102,102,102\)/ && /translate/ { y = $2; getline; sub(/.*<text>/, ""); sub(/<.*/, ""); print $0, y }' \
    right/figures/pair-contact-deadline.svg | awk '{ y[$NF]; print $1, $2 } END { for (v in y) n++; print n, "row" }'
grep -o '<text>0 %: .*<' right/figures/pair-contact-deadline.svg
