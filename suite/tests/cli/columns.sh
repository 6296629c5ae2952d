# The reference of columns matches the files: each column of a run and of truth is in it, and each
# of its columns is in a file (those of stages and regions are in the case "quantities").
# docs/columns.md is the output of the program.
cube_poses
awk 'NR == 1 { print $0 ",known_fx_m2,known_fy_m2,known_fz_m2,known_tx_m3,known_ty_m3,known_tz_m3," \
        "known_depth_fx_m3,known_depth_fy_m3,known_depth_fz_m3,known_depth_tx_m4,known_depth_ty_m4,known_depth_tz_m4"; next }
    { print $0 ",0,0,0,0,0,0,0,0,0,0,0,0" }' t.csv >known.csv
mv known.csv t.csv
"$proxbench" list columns --format markdown | cmp - "$root/docs/columns.md" 2>&1 ||
    echo "renew it: proxbench list columns --format markdown >docs/columns.md"
"$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity volume --launches 7 --rounds 1 --warm-only \
    --mode bench --quiet --cache cache --out run \
    --algorithm 'exact-volume,ist:voxels=8,bounds-budget:budget=100,cells=8,floor' >table 2>&1
"$proxbench" compare run >/dev/null
"$proxbench" truth --a a.off --b a.off --trajectory t.csv --no-cache >truth
"$proxbench" list columns --format csv >columns.csv

# names FILE KIND: prints the columns of FILE; columns that belong to a variant get the name of the
# reference
names() {
    head -n 1 "$1" | tr ',' '\n' | case $2 in
    cells.csv) sed 's/^[a-z_]*_count_mean$/COUNTER_mean/' ;;
    builds.csv) awk 'NR > 13 { $0 = "FACT" } 1' ;;
    build_launches.csv) awk 'NR > 8 { $0 = "FACT_ns" } 1' ;;
    build_ratios.csv) awk 'NR > 13 { $0 = "FACT" } 1' ;;
    SCENE/VARIANT.steps.csv) awk '/^(crossing_pairs|exact_signs|inside_tests)_count$/ { $0 = "COUNTER" } 1' ;;
    SCENARIO/VARIANT.csv) sed -E 's/_m[23](_m)?$/&!/; /^[ft][xyz](_|$)/ { s/^(t.)(_.*)?$/\1_UNIT_m/; s/^(f.)(_.*)?$/\1_UNIT/; }
        s/!$//; /^(intersecting_pairs|regions)_count$/b
        /_count$/ s/.*/COUNTER/' ;;
    *) cat ;;
    esac | uniq
}
# same FILE KIND: compares the columns of FILE with the reference
same() {
    names "$1" "$2" >names
    awk -F, -v file="$2" '$1 == file && $2 != "stage_NAME_ns" { print $2 }' columns.csv >listed
    if cmp -s names listed; then
        echo "$2: $(wc -l <listed)"
    else
        diff names listed | sed "s|^|$1: |"
    fi
}
for file in manifest cells builds build_launches build_ratios passes launches compare pareto deadline forces; do
    same run/$file.csv $file.csv
done
same run/pair/ist_voxels=8.csv SCENARIO/VARIANT.csv
same run/pair/exact-volume.csv SCENARIO/VARIANT.csv
same run/trajectories/pair.csv trajectories/SCENARIO.csv
same truth truth
"$proxbench" simulate --a a.off --b a.off --device t.csv --algorithm exact-distance,exact-volume --steps 2 \
    --response force --no-cache --quiet --out hand >table 2>&1
for file in simulations simulation_times; do
    same hand/$file.csv $file.csv
done
same hand/pair/exact-volume.steps.csv SCENE/VARIANT.steps.csv
same hand/pair/exact-volume.times.csv SCENE/VARIANT.times.csv
cut -d, -f1 columns.csv | uniq | tail -n +2 | wc -l
run list columns --format cvs
