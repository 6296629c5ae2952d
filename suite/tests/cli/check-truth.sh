# needs-python: csv
# check_truth.py: no frame of the exported truth is wrong, and each planted mistake is named.
cat >own.cfg <<'END'
name = "own"; mode = "smoke"; variants = ( "exact-distance" );
scenarios = (
  { name = "gap"; a = "torus:triangles=200"; b = "sphere:triangles=80"; quantities = "distance";
    trajectory = ( (0.02, 0, 0), (0.1, 0, 0), (0.11, 0.02, 0), (0.13, 0, 0), (0.12, 0.04, 0), (0.2, 0, 0) ); },
  { name = "dip"; a = "box"; b = "cone:triangles=200"; quantities = "volume";
    trajectory = { kind = "glide"; target = "volume"; lo = 0.01; hi = 0.1; frames = 5; }; }
);
END
"$proxbench" export own.cfg/gap own.cfg/dip --quantity distance,volume,contact --out set --quiet 2>&1
# truth SCENARIO QUANTITY EXPRESSION: answers from the truth x of each frame
truth() {
    awk -F, -v q="$2" 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; print "frame," q; next }
        { lo = q; sub("distance_m", "truth_distance_lo_m", lo); sub("volume_m3", "truth_volume_lo_m3", lo)
          sub("intersecting_pairs_count", "truth_pairs_lo", lo); x = $place[lo]; f = $1
          '"$3"'; printf "%s,%.17g\n", f, x }' "set/$1/truth.csv" >answers.csv
    "$python" set/check_truth.py "set/$1" answers.csv 2>&1
    echo "[$?]"
}
for scenario in gap dip; do
    truth "$scenario" distance_m ''
    truth "$scenario" volume_m3 ''
    truth "$scenario" intersecting_pairs_count ''
done
echo '# planted mistakes'
for mistake in 'x *= 1000' 'x *= 100' 'x /= 0.0254' 'x = -x' 'x = x > 0 ? x : -0.01' 'x = x * x' 'x += 0.003' 'f = 5 - f' \
    'f = (f + 1) % 6; if (f == 0) next' 'f = f - 1; if (f < 0) next' 'f = (f * 5 + 2) % 6; x = x' 'x = 0.5' \
    'x = sprintf("%.6g", x)' 'if (f > 3) next' 'if (f == 2) x *= 7'; do
    echo "$mistake"
    truth gap distance_m "$mistake" | grep -v '  frame'
done
truth dip volume_m3 'x *= 1e9' | grep diagnosis
echo '# files that are not valid'
for text in 'frame,distance_m\n0,nan\n' 'frame,distance_m\n0,1\n0,1\n' 'frame,distance_m\n9,1\n' 'frame,distance_m\n0,x\n' 'distance_m\n1\n'; do
    printf "$text" >answers.csv
    "$python" set/check_truth.py set/gap answers.csv 2>&1
    echo "[$?]"
done
"$python" set/check_truth.py set/gap 2>&1 | head -1
[ "$(wc -l <set/check_truth.py)" -le 80 ] && echo 'at most 80 lines'
