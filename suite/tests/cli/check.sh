# The gate passes for a blessed run, and reports the position of every planted change.
cat >gate.cfg <<'END'
name = "gate"; mode = "smoke"; seed = 1;
variants = ( "floor", "exact-distance", { algorithm = "ist"; voxels = 8; } );
scenarios = (
  { name = "glide"; a = "box"; b = "sphere:triangles=180"; quantities = "unified";
    trajectory = { kind = "glide"; target = "volume"; lo = 0.01; hi = 0.1; frames = 12; }; },
  { name = "touch"; a = "cube"; b = "cube"; quantities = "distance";
    trajectory = ( (0.0625, 0, 0), (0.062500001, 0, 0) ); } );
END
"$proxbench" run gate.cfg --quiet --cache cache --out good >/dev/null 2>&1 || echo 'the run failed'

# plant FOLDER COLUMN VALUE KEY FILE: copies the run and changes a column of one row in FILE.
# KEY: the beginning of a row of cells.csv, or the number of a frame in FILE.
plant() {
    rm -rf "$1"
    cp -r good "$1"
    awk -F, -v column="$2" -v value="$3" -v key="$4" 'BEGIN { OFS = "," }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        index($0, key) == 1 { $at = value; found = 1 }
        { print }
        END { if (!at || !found) print "nothing planted" > "/dev/stderr" }' "good/$5" >"$1/$5"
}
# value COLUMN KEY FILE: prints the present value
value() {
    awk -F, -v column="$1" -v key="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        index($0, key) == 1 { print $at }' "good/$3"
}

run check good
run check good --baseline baseline.csv
run check --bless good
run check good
run check good --format csv
cp results/reference/gate.csv baseline.csv
run check --bless good --baseline ./baseline.csv
cmp baseline.csv results/reference/gate.csv && ! grep -q 'time\|_ns' baseline.csv &&
    echo 'blessed twice, it is the same file, without a time'

echo '# one answer is changed in its last digit'
volume=$(value volume_m3 7, glide/ist_voxels=8.csv)
# after NUMBER: prints the next double
after() {
    awk -v x="$1" 'BEGIN { for (u = 2^-120; sprintf("%.17g", x + u) == sprintf("%.17g", x + 0); u *= 2); printf "%.17g", x + u }'
}
next=$(after "$volume")
plant digit volume_m3 "$next" 7, glide/ist_voxels=8.csv
run check digit | sed "s/$volume/VOLUME/; s/$next/NEXT/"
run check digit --same | sed "s/$volume/VOLUME/; s/$next/NEXT/"
echo '# one answer of an exact method is changed in its last digit'
distance=$(value distance_m 1, touch/exact-distance.csv)
plant exact distance_m "$(after "$distance")" 1, touch/exact-distance.csv
run check exact
run check exact --accept answers,counters
run check exact --accept answer
echo '# a zero has the other sign'
plant zero distance_m -0 0, touch/exact-distance.csv
run check zero
echo '# one counter is changed'
plant counter bv_tests_count 1 3, glide/ist_voxels=8.csv
run check counter | sed 's/bv_tests_count  *[0-9]*/bv_tests_count N/'
run check counter --same | sed 's/bv_tests_count  *[0-9]*/bv_tests_count N/'
plant more bv_tests_count 5000 3, glide/ist_voxels=8.csv
run check more | sed 's/bv_tests_count  *[0-9]*/bv_tests_count N/'
echo '# there are more frames than the cell states'
cp -r good many
awk -F, 'BEGIN { OFS = "," } NR > 1 { $2 = 1 - $2 } { print }' good/glide/ist_voxels=8.csv >many/glide/ist_voxels=8.csv
run check many
echo '# a frame is missing'
cp -r good short
sed '$d' good/touch/exact-distance.csv >short/touch/exact-distance.csv
run check short
echo '# a contract is violated'
plant violated violations_count 2 touch,exact-distance cells.csv
sed -i 's/^touch,exact-distance,distance,ok/touch,exact-distance,distance,wrong/' violated/cells.csv
run check violated
echo '# one cell is missing, and another one is new'
plant missing variant other touch,floor, cells.csv
sed -i '/^touch,other,/s/,floor,/,other,/' missing/cells.csv
run check missing
echo '# a cell crashed; a wrong answer comes before it'
plant died status crash glide,floor, cells.csv
run check died
sed -i 's/^touch,exact-distance,distance,ok/touch,exact-distance,distance,wrong/' died/cells.csv
run check died
echo '# a cell was interrupted'
plant interrupted status interrupted glide,floor, cells.csv
run check interrupted

echo '# only a complete run may be blessed'
run check --bless interrupted
run check --bless died
run check --bless violated --baseline forced.csv --force
run check violated --baseline forced.csv
cmp baseline.csv results/reference/gate.csv && echo 'the baseline is as it was'
run check --bless counter | sed 's/bv_tests_count was [0-9]*/bv_tests_count was N/'
run check counter
run check --bless good

echo '# files for other programs'
"$proxbench" check died --junit junit.xml --markdown summary.md >/dev/null 2>&1
sed 's/time="[0-9.]*"/time="T"/' junit.xml
cat summary.md
"$proxbench" check good --markdown - 2>&1

echo '# misuse'
run check
run check nowhere
run check good --format xml
run check good --force
run check --bless good --junit x.xml
printf 'scenario,variant\na,b\n' >broken.csv
run check good --baseline broken.csv
awk 'NR != 2' baseline.csv >headless.csv
run check good --baseline headless.csv
run check good --junit /proc/no/such.xml
