# The methods of the truth as contestants: forces computed by hand, and the methods that judge each
# other.
box a.off 0 0 0 1
# Overlap 0.5 x 0.75 x 0.875: force on the faces of B inside A, torque about the centroid of B. The
# last bits depend on how the sums are split.
run query --algorithm exact-volume --a a.off --b a.off --pose 0.5,0.25,0.125,0,0,0,1 |
    awk -F, '/_m[0-9_m]*,/ { printf "%s,%.13g\n", $1, $2; next } 1'
awk 'BEGIN { print "by hand", 0.5 * 0.75 * 0.875, 0.75 * 0.875, 0.5 * 0.875, 0.5 * 0.75,
    0.125 * 0.0625 * 3.5 - 0.125 * 0.375, 0.25 * 0.375 - 0.0625 * 0.65625,
    0.125 * 0.65625 - 0.25 * 0.4375 }'
"$proxbench" query --algorithm exact-tetra --a a.off --b a.off --pose 0.5,0.25,0.125,0,0,0,1 |
    awk -F, '/volume/ { print ($2 - 0.328125) ^ 2 < 1e-30 }'
run query --algorithm exact-distance:start=last --a a.off --b a.off --pose 3,0.25,0,0,0,0,1

cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,2,0,0.1,0,0,0,1
1,0.001,3,3,0.5,0,0,0,1
2,0.002,0.5,0.3,0.2,0,0,0,1
END
# go OUT QUANTITY MODE: prints status, judged frames and violations of each contestant
go() {
    algorithms='exact-*' few=
    [ "$2" != distance ] || algorithms='exact-*,exact-distance:start=last'
    [ "$3" = smoke ] || few='--launches 8 --rounds 1 --warm-only' # judging does not depend on it
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity "$2" --mode "$3" $few --quiet \
        --cache cache --out "$1" --algorithm "$algorithms" >"$1.txt" 2>&1
    echo "$2 $3 [$?]"
    grep warning "$1.txt"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["variant"], $at["status"], $at["frames_judged_count"], $at["violations_count"] }' \
        "$1/cells.csv"
    grep -E ',(truth_methods|[a-z]+_certified)' "$1/manifest.csv" | grep -v ',0$'
}
for quantity in distance volume; do
    for mode in smoke bench paper; do
        go $quantity-$mode $quantity $mode
    done
done
echo '# if several pairs of features are equally near, all exact methods return the witnesses of the same pair'
"$proxbench" trajectory boxes --a a.off --b a.off --frames 60 --quiet --out boxes.csv
"$proxbench" run --a a.off --b a.off --trajectory boxes.csv --quantity distance --mode smoke --no-cache --quiet --out ties \
    --algorithm 'brute, exact-distance, exact-distance:start=last, pst-exact:voxels=16, pst-exact:start=last,voxels=16, pst-exact:field=moving,voxels=16' >ties.txt 2>&1 || cat ties.txt
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; files++; next }
    $at["distance_m"] > 0 {
        witnesses = $at["distance_m"]
        for (i = 0; i < 6; i++) witnesses = witnesses " " $(at["witness_ax_m"] + i)
        if (!($1 in first)) first[$1] = witnesses
        apart++
        others += witnesses != first[$1]
    }
    END { print files, apart / files, others }' ties/pair/*.csv
echo '# without tetrahedra only one method is left, so mode paper judges no variant'
mkdir bin
printf '#!/bin/sh\necho refused\nexit 1\n' >bin/tetgen
chmod +x bin/tetgen
rm -r cache
PATH=$PWD/bin:$PATH
go refused volume paper
echo '# no query allocates memory, even the first one that meets more crossed triangles than those before'
"$proxbench" trajectory sphere --a torus:triangles=800 --b sphere:triangles=320 --target volume --lo 0 --hi 0.9 \
    --frames 40 --out volumes.csv 2>/dev/null
"$proxbench" run --a torus:triangles=800 --b sphere:triangles=320 --trajectory volumes.csv --quantity volume \
    --algorithm exact-volume --mode smoke --no-cache --out smoke 2>&1 >/dev/null | grep allocates
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "alloc_count") at = i; next } { print $2, $at }' smoke/cells.csv
