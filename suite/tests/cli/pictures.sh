# Pictures of bodies: of an experiment's list by plot, of one frame by replay.
mkdir experiments
cat >experiments/own.cfg <<'END'
name = "own";
mode = "smoke";
variants = ( "ist:voxels=12", "exact-volume" );
scenarios = ( { name = "pair"; a = "torus:triangles=500"; b = "sphere:triangles=320"; quantities = "volume";
    trajectory = ( (0.3, 0, 0), (0.03, 0, 0) ); } );
pictures = (
  { name = "two"; columns = 2; shape = 0.5;
    panels = ( { variant = "ist:voxels=12"; layers = "a-glass,a-spheres"; },
               { variant = "ist:voxels=12"; frame = "1"; layers = "a-glass,b-glass,overlap"; view = [0, 90]; } ); },
  { name = "empty"; panels = ( { variant = "ist:voxels=12"; layers = "overlap"; } ); },
  { name = "absent"; panels = ( { variant = "ist:voxels=13"; layers = "a"; } ); } );
END
"$proxbench" run own --data . --quiet --cache cache --out r >/dev/null 2>log || cat log
run plot r --data . --cache cache
ls r/figures
size() { od -An -tu1 -j16 -N8 "$1"; }
size r/figures/two.png
cut -d, -f1-7 r/figures/index.csv
cp r/figures/two.png first.png
run plot r --data . --cache cache --figure two
cmp first.png r/figures/two.png
run plot r --data . --cache cache --figure two --width 60 --out narrow
size narrow/two.png
echo '# the experiment is not there'
run plot r --cache cache
echo '# a list that is not as it must be'
broken() { # SED-COMMAND
    sed "$1" experiments/own.cfg >own.cfg
    run run own.cfg --out never
}
broken 's/name = "empty"/name = "two"/'
broken 's/layers = "overlap";//'
broken 's/view = \[0, 90\]/view = [0, 91]/'
broken 's/view = \[0, 90\]/view = [0]/'
broken 's/name = "empty"; panels = ( {/& scenario = "pairs";/'
broken 's/shape = 0.5/shape = 0/'
broken 's/columns = 2/colums = 2/'
echo '# one frame: the second one has the larger volume'
run replay r --variant ist:voxels=12 --frame deepest --cache cache --out rows.csv
grep ^frame, rows.csv
run replay r --variant ist:voxels=12 --frame 1 --cache cache --picture a.png --width 100 --out rows.csv
size a.png
grep drawn rows.csv
run replay r --variant ist:voxels=12 --frame 1 --cache cache --picture b.png --width 100 --layers a,b --out rows.csv
cmp -s a.png b.png && echo 'layers change nothing'
for wrong in '--picture a.jpg' '--picture c.png --layers a,c' '--picture c.png --view up' '--picture c.png --layers contacts'; do
    run replay r --variant ist:voxels=12 --frame 0 --cache cache --out rows.csv $wrong
done
[ ! -e c.png ] || echo 'c.png was written'
