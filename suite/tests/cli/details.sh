# Bodies, frames, and the distances and volumes that scenarios reach.
box a.off 1 1 1 1
box b.off 0 0 0 1
sed '$d; s/^8 12 0/8 11 0/' b.off >open.off
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,3,1,1,0,0,0,1\n1,0.001,1.5,1,1,0,0,0,1\n2,0.002,1.75,1,1,0,0,0,1\n' >t.csv
mkdir -p data/experiments
cat >data/experiments/tiny.cfg <<'END'
name = "tiny";
variants = ( "exact-distance", "exact-volume" );
scenarios = (
  { name = "sampled"; a = "cube"; b = "comb:triangles=500"; quantities = [ "distance" ];
    trajectory = { kind = "sphere"; hi = 0.2; frames = 5; seed = 7; }; },
  { name = "file"; a = "../../a.off"; b = "../../b.off"; quantities = "volume"; trajectory = "../../t.csv"; },
  { name = "poses"; a = "../../a.off"; b = "../../open.off"; quantities = "distance";
    trajectory = ( (1, 1, 5), (1, 1, 3.25), (1, 1, 4) ); },
  { name = "deepest"; a = "../../a.off"; b = "../../b.off"; quantities = "volume"; trajectory = ( (1.5, 1, 1) ); },
  { name = "nearest"; a = "../../a.off"; b = "../../open.off"; quantities = "distance";
    trajectory = ( (1, 1, 3.25) ); },
  { name = "gone"; a = "../../none.off"; b = "cube"; quantities = "distance"; optional = true;
    trajectory = ( (1, 1, 3.25), (1, 1, 5) ); }
);
END
run list scenarios tiny --details --data data --cache c
run list scenarios tiny/file --details --data data --cache c --format csv
echo '# hashes are those of a run, which also used the cache'
"$proxbench" list scenarios tiny/sampled --details --data data --cache c --format csv | sed 1d |
    awk -F, '{ print $5, $10, $18 }' >listed
ls c/trajectories | wc -l
"$proxbench" run data/experiments/tiny.cfg --scenario sampled --out run --cache c --quiet >/dev/null 2>&1
ls c/trajectories | wc -l
sed -n 's/^sampled,\(a\|b\|poses\)_hash,//p' run/manifest.csv | tr '\n' ' ' | sed 's/ $/\n/' | cmp - listed
echo '# distances of the sampler, in diagonals of A'
"$proxbench" list scenarios tiny/sampled --details --data data --cache c --format csv | sed 1d |
    awk -F, '{ printf "%.6f %.6f %s %s\n", $14 / (0.0625 * sqrt(3)), $15 / (0.0625 * sqrt(3)), $16, $17 }'
echo '# pictures'
"$proxbench" list scenarios tiny/file --details --data data --cache c --format csv --pictures new/p | sed 's/.*,//'
"$proxbench" list scenarios tiny --details --data data --cache c --pictures new/p >listed 2>&1
ls new/p
head -c 8 new/p/file.png | od -An -c
cmp new/p/file.png new/p/deepest.png
cmp new/p/poses.png new/p/nearest.png
cmp -s new/p/file.png new/p/sampled.png && echo 'the same picture'
run list scenarios tiny --pictures p
run list scenarios tiny/none --details --data data
run list scenarios --details
run list models cube --details
sed -i 's/open.off/lost.off/' data/experiments/tiny.cfg
run list scenarios tiny --details --data data --cache c
