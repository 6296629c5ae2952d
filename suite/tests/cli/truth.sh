# Two unit cubes, A away from the origin: all truths are known.
box a.off 1 1 1 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,4,1,1,0,0,0,1
1,0.001,3,3,1,0,0,0,1
2,0.002,1.5,1,1,0,0,0,1
3,0.003,1.5,1.25,1.5,0,0,0,1
4,0.004,1,1,1,0,0,0,1
END
cat >known.csv <<'END'
0,2,0
1,1.4142135623730951,0
2,0,0.5
3,0,0.1875
4,0,1
END

# holds KNOWN TRUTH: checks that each known value lies in its bracket, and that the bracket is
# narrow
holds() {
    awk -F, 'NR == FNR {d[$1] = $2; v[$1] = $3; next}
        FNR > 1 {
            line = $1 " " $6 " " ($7 == "" ? "-" : $7) ($8 == "" ? "-" : $8)
            if ($2 != "") line = line ($2 <= d[$1] && d[$1] <= $3 && $3 - $2 < 1e-11 ? " distance" : " WRONG")
            if ($4 != "") line = line ($4 <= v[$1] && v[$1] <= $5 && $5 - $4 < 1e-10 ? " volume" : " WRONG")
            print line
        }' "$1" "$2"
}

pair='--a a.off --b b.off --trajectory t.csv'
for quantity in distance volume both; do
    echo "# $quantity"
    "$proxbench" truth $pair --quantity $quantity --cache c >$quantity.csv
    echo "[$?]"
    head -n 1 $quantity.csv
    holds known.csv $quantity.csv
done
echo '# with the cache, with any number of threads and without both: the same bytes'
"$proxbench" truth $pair --cache c --quiet | cmp - both.csv
"$proxbench" truth $pair --threads 1 --no-cache | cmp - both.csv
"$proxbench" truth $pair --threads 3 --no-cache | cmp - both.csv
[ -d c ] || echo 'no cache'
[ -d groundtruth ] && echo 'a cache without a request'
echo '# the depth of the cubes and their direction of escape; the depth of a torus is not known'
"$proxbench" truth $pair --quantity depth --no-cache >depth.csv
awk -F, 'NR > 1 {print $1, $17 - $16 < 1e-11, sprintf("%.9f", $17), sprintf("%.3f", $18 * $18 + $19 * $19 + $20 * $20)}' depth.csv
run truth --a a.off --b torus --trajectory t.csv --quantity depth --no-cache
echo '# brute force'
"$proxbench" truth $pair --quantity distance --method brute --no-cache >brute.csv
holds known.csv brute.csv
"$proxbench" truth $pair --method brute,tetra --no-cache | tail -n 1 | cut -d, -f1,6-8
run truth $pair --method fcl
run truth $pair --method tetra --quantity distance
run truth $pair --method tetra --quantity both
run truth $pair --method bvh,

echo '# each method: quantity, method, certificate, and difference between methods'
for methods in flux tetra flux,tetra bvh,brute bvh,brute,flux,tetra; do
    "$proxbench" truth $pair --method $methods --cache c2 >method.csv
    echo "[$?]"
    holds known.csv method.csv
    awk -F, 'NR > 1 {print $1, $9 == "" ? "-" : $10 <= $9, $11 == "" ? "-" : $11 < 1e-15,
        $12 == "" ? "-" : $13 - $12 < 1e-11}' method.csv
done
echo '# each method alone and all at once give the same records'
"$proxbench" truth $pair --method bvh,brute,flux,tetra --no-cache | cmp - method.csv

echo '# without --method all four methods run, except brute force for large bodies, with a note'
"$proxbench" truth $pair --no-cache 2>&1 | cmp - method.csv
for quantity in distance volume both; do
    "$proxbench" truth --a sphere:triangles=2000 --b cube --trajectory t.csv --quantity $quantity \
        --no-cache --quiet | tail -n 1 | cut -d, -f6-8
done
head -n 2 t.csv >one.csv
large='--a sphere:triangles=10000 --b torus:triangles=12000 --trajectory one.csv --no-cache --quiet'
"$proxbench" truth $large --quantity distance 2>&1 >large.csv
"$proxbench" truth $large --quantity both 2>&1 >large.csv
cut -d, -f6-8 large.csv
"$proxbench" truth $large --quantity distance --method bvh,brute | cut -d, -f6-8

echo '# a body that tetgen refuses is answered by flux alone, with one note'
mkdir bin
cat >bin/tetgen <<END
#!/bin/sh
echo asked >>'$PWD/asked'
echo 'Found two duplicated facets.'
kill -ABRT \$\$
END
chmod +x bin/tetgen
(
    PATH=$PWD/bin:$PATH
    "$proxbench" truth $pair --cache c3 2>refused.txt >refused.csv
    echo "[$?]"
    holds known.csv refused.csv
    cat refused.txt
    wc -l <asked
    run truth $pair --method tetra --no-cache
)

echo '# an open mesh has no volume'
sed -e '2s/12/11/' -e '$d' b.off >open.off
pair='--a a.off --b open.off --trajectory t.csv --no-cache'
run truth $pair --quantity volume
"$proxbench" truth $pair --quantity both 2>/dev/null | cut -d, -f1,4-
run truth --a a.off --b b.off --trajectory missing.csv

echo '# a known value is compared with the truth'
pair='--a a.off --b b.off --no-cache --method bvh,flux'
cat >told.csv <<'ROWS'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw,known_distance_m,known_volume_m3
0,0,4,1,1,0,0,0,1,2,0
1,0.001,1.5,1,1,0,0,0,1,,0.5
2,0.002,1.5,1,1,0,0,0,1,,
ROWS
"$proxbench" truth $pair --trajectory told.csv | cut -d, -f1,7,8,14-
sed 's/0.5$/0.5000001/; s/2,0$/2.0000001,0/' told.csv >mistold.csv
run truth $pair --trajectory mistold.csv | sed 's/truth.s \(distance\|volume\), [^ ]* to [^ ]*/truth'"'"'s \1, ... to .../' |
    cut -d, -f1,2,7,8,14-
