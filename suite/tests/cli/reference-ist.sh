# needs: ../shared/reference/spot-rocker-distance.expected.csv
# check-all: it takes 4 s; the unit tests of ist ask the same references
# Inner sphere trees on real meshes compared with answers of independent libraries: the mean error
# is below 2 %, no answer is below the true distance, and no answer of primary radii is above the
# true volume.
spot=$root/../shared/models/c3d-spot.off
rocker=$root/../shared/models/c3d-rocker-arm.off
for quantity in distance volume; do
    "$proxbench" run --a "$spot" --b "$rocker" \
        --trajectory "$root/../shared/reference/spot-rocker-$quantity.trajectory.csv" \
        --quantity $quantity --algorithm 'ist:voxels=192' --mode smoke --quiet --cache cache \
        --out $quantity >table 2>&1 || cat table
    awk -F, -v q=$quantity '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR == 2 {
            rel = $column[q "_error_rel_mean"]; size = $column["distance_error_size_mean"]
            print q ": " $column["status"] ", " $column["frames_judged_count"] " frames judged, " \
                $column["violations_count"] " violations"
            print "error of the truth below 2 %: " (rel != "" && rel < 0.02 ? "yes" : "no, " rel)
            if (q == "distance") print "error of the size below 0.15 %: " (size < 0.0015 ? "yes" : "no, " size)
        }' $quantity/cells.csv
done
"$proxbench" run --a "$spot" --b "$rocker" \
    --trajectory "$root/../shared/reference/spot-rocker-volume.trajectory.csv" --quantity volume \
    --algorithm 'ist:radius=primary,voxels=48' --mode smoke --quiet --cache cache --out primary >/dev/null 2>&1
echo "primary radii: [$?]"
