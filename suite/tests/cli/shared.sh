# needs: ../shared/models
# Real meshes: a warning names the faces of a bad mesh, and the truth equals the known values.
cd "$root" || exit 1
bad=../shared/models/bad-bunny-two-self-intersections.off
"$proxbench" mesh check $bad | grep -E '^(solid|closed|self)'
spot=../shared/models/c3d-spot.off
rocker=../shared/models/c3d-rocker-arm.off
reference=../shared/reference/spot-rocker-distance
"$proxbench" truth --a $spot --b $rocker --trajectory $reference.trajectory.csv \
    --method bvh --no-cache --quiet >"$OLDPWD/truth.csv"
echo "[$?]"
awk -F, 'NR == FNR {known[$1] = $2; next}
    FNR > 1 {
        frames++
        if ($2 > known[$1] * (1 + 1e-12) || $3 < known[$1] * (1 - 1e-12)) print "frame", $1, known[$1], $2, $3
    }
    END {print frames " frames"}' $reference.expected.csv "$OLDPWD/truth.csv"
cd "$OLDPWD" || exit 1
head -n 2 "$root/$reference.trajectory.csv" >one.csv
cd "$root" || exit 1
"$proxbench" truth --a $bad --b $spot --trajectory "$OLDPWD/one.csv" --quantity volume --no-cache 2>&1
echo "[$?]"
