# Bodies with a share of their triangles: for one variant alone, and as the bodies of a pair.
printf 'x_m,y_m,z_m,qx,qy,qz,qw\n0.12,0,0,0,0,0,1\n0.09,0.03,0.05,0.6,0,0,0.8\n0.03,0.02,0,0,0,0,1\n' >t.csv
columns() { # FILE NAME...: the columns of these names
    tr -d '"' <"$1" | awk -F, -v names="$2" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[want[k]], k < n ? "," : "\n" }'
}
run_pair() { # OUT ALGORITHMS QUANTITY OPTION: runs torus and sphere
    "$proxbench" run --a "torus:triangles=300$4" --b "sphere:triangles=180$4" --trajectory t.csv --quantity "$3" \
        --mode smoke --algorithm "$2" --cache c --quiet --out "$1" >/dev/null 2>&1 || echo "[$?]"
}
echo '# a variant gets simplified bodies; its answers are approximate, judged by the truth of the full bodies'
run_pair full 'exact-distance,brute,brute:simplify=0.5,exact-distance:simplify=0.5' distance ''
columns full/cells.csv 'variant status contract violations_count frames_judged_count'
columns full/builds.csv 'variant role triangles_count primitives_count'
columns full/build_launches.csv 'variant parameters'
grep -E '^pair,[ab]' full/manifest.csv
echo '# the errors of both methods are equal to ten digits, as they have the same bodies'
columns full/cells.csv 'variant distance_error_rel_max' | awk -F, '/simplify/ { printf "%.10f\n", $2 }' | uniq | wc -l
echo '# the truth does not judge itself in mode smoke, but it does judge itself on simplified bodies'
run_pair volume 'exact-volume,exact-volume:simplify=0.5' volume+force ''
columns volume/cells.csv 'variant status frames_judged_count'
echo '# as bodies of the pair, they have their own hashes, and the same methods are exact'
run_pair coarse 'exact-distance,brute' distance ,simplify=0.5
columns coarse/cells.csv 'variant status contract violations_count frames_judged_count'
grep -E '^pair,[ab]' coarse/manifest.csv
echo '# a replay simplifies, too'
"$proxbench" replay full --variant brute:simplify=0.5 --frame 1 --cache c | grep -E '^(compared|answer)'
echo '# bodies that cannot be simplified, or are no solids afterwards'
run query --algorithm brute:simplify=0.1 --a box --b box --pose 1,0,0,0,0,0,1
run query --algorithm brute:simplify=0.5 --a box --b box:soup=yes --pose 1,0,0,0,0,0,1
run query --algorithm ist:simplify=0.3 --a sphere:triangles=180 --b bolt:triangles=3500 --pose 1,0,0,0,0,0,1
run mesh info box:soup=yes,simplify=0.1
run query --algorithm exact-pairs --a bolt:triangles=3500,simplify=0.3 --b box --pose 1,0,0,0,0,0,1
"$proxbench" list algorithms brute
