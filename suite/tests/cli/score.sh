# Answers of every family, taken from the frames of a run and scored: the cells are those of the run. A scored
# variant is shown beside the others, and its times are compared with no other ones.
cat >own.cfg <<'END'
name = "own"; mode = "smoke"; seed = 1;
variants = ( "brute", "ist:voxels=16", "bounds-budget", "vps:voxels=16", "vps-volume:voxels=16", "pst",
  "imp:voxels=16", "lpd", "lpd-area", "exact-pairs" );
scenarios = (
  { name = "gap"; a = "torus:triangles=200"; b = "sphere:triangles=80,x=0.01"; quantities = "distance";
    tolerance = "distance_error_rel=0.02";
    trajectory = { kind = "grid"; lo = 0.0; hi = 0.05; frames = 8; }; },
  { name = "dip"; a = "box:x=0.5"; b = "cone:triangles=200"; quantities = ["volume", "depth+force", "force", "contact"];
    variants = "brute, ist*, bounds*, vps*, pst, imp*, lpd*, exact-pairs";
    trajectory = { kind = "glide"; target = "volume"; lo = 0.01; hi = 0.1; frames = 6; }; }
);
END
"$proxbench" run own.cfg --out run --quiet >table 2>&1
echo "run [$?], $(grep -c ' ok$' table) lines are ok"
cp -r run before

# answers_of FILE COLUMNS: the columns of a file of frames that match and are not empty everywhere.
answers_of() {
    awk -F, -v OFS=, -v known="^(frame|$2)$" '
        NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        { for (i = 1; i <= NF; i++) { field[NR, i] = $i; if (NR > 1 && $i != "") filled[i] = 1 } }
        END {
            for (r = 1; r <= NR; r++) {
                line = ""
                for (i = 1; i <= length(name); i++)
                    if (name[i] ~ known && filled[i]) line = line (line == "" ? "" : ",") field[r, i]
                print line
            }
        }' "$1"
}

echo '# the cells of scored answers are those of the run'
csv_columns run/cells.csv scenario variant status contract force_law file >cells.txt
number=0
force='[ft][xyz]_[A-Za-z0-9_]+'
while IFS='|' read -r scenario variant status contract law file; do
    [ "$status" = unsupported ] && continue
    number=$((number + 1))
    case $scenario in
    gap) columns='distance_m|witness_[ab][xyz]_m|distance_(lo|hi)_m' judged='^distance' ;;
    dip/volume) columns='colliding|volume_m3|volume_(lo|hi)_m3' judged='^volume' ;;
    dip/force) columns="colliding|$force" judged='^force\|^torque' ;;
    dip/depth-force) columns="colliding|$force|depth_m|n[xyz]" judged='^force\|^torque\|^depth' ;;
    dip/contact) columns='colliding|intersecting_pairs_count' judged='^pairs\|^contact_within' ;;
    esac
    answers_of "run/$scenario/$file.csv" "$columns" >answers.csv
    contract=$(echo "$contract" | tr ' ' ',')
    [ "$law" = - ] && law=none
    "$proxbench" score "own.cfg/$scenario" answers.csv --name "scored-$number" --run run --contract "$contract" \
        --law "$law" --rounding 0 --quiet >score.txt 2>&1
    echo "$? $scenario $variant $contract $law" | tr '\n' ' '
    # The errors of the asked quantities, and the verdicts.
    errors=$("$proxbench" list columns --format csv | awk -F, '$1 == "cells.csv" && /,error$/ { print $2 }' |
        grep "$judged")
    for name in "$variant" "scored-$number"; do
        # shellcheck disable=SC2086
        csv_columns run/cells.csv scenario variant status frames_count violations_count frames_judged_count \
            tp_count tn_count fp_count fn_count contract tolerance $errors |
            awk -F'|' -v s="$scenario" -v v="$name" '$1 == s && $2 == v { $2 = ""; print }' >"$number-$name.txt"
    done
    cmp "$number-$variant.txt" "$number-scored-$number.txt" && echo same
done <cells.txt

echo '# rows of other variants and files are the same as before'
grep -v ',scored-' run/cells.csv | cmp - before/cells.csv
grep -v ',scored-' run/forces.csv | cmp - before/forces.csv
cmp before/launches.csv run/launches.csv && echo 'no launches are added'

echo '# shown beside the others, without a comparison of times'
answers_of run/gap/brute.csv 'distance_m|witness_[ab][xyz]_m' | awk -F, -v OFS=, 'NR == 1 { print $0, "time_ns" } NR > 1 { print $0, 1 }' >timed.csv
run score own.cfg/gap timed.csv --name other --machine 'a laptop' --run run --quiet
"$proxbench" compare run --scenario gap --algorithm 'other,brute' | sed -n '/^Answers/,$p'
"$proxbench" report run | grep -c 'a laptop'
csv_columns run/cells.csv variant time_p99_ns elsewhere elsewhere_p50_ns elsewhere_p99_ns | grep '^other'
grep -c other run/compare.csv run/pareto.csv run/deadline.csv run/launches.csv
run check --bless run --baseline base.csv
grep -c ',other,' base.csv
run check run --baseline base.csv
run replay run --scenario gap --variant other --frame 0

echo '# scored again: the rows are replaced; a variant of the run is not'
sed '2,$s/^\([0-9]*\),[^,]*/\1,0.5/' timed.csv >wrong.csv
run score own.cfg/gap wrong.csv --name other --run run --most 2 --quiet
csv_columns run/cells.csv variant status | grep '^other'
run score own.cfg/gap timed.csv --name brute --run run
cp -r run planted
sed -i 's/brute/planted/g' planted/cells.csv
run score own.cfg/gap timed.csv --name planted --run planted --quiet
sed -i '1s/elsewhere_p50_ns/another/' planted/cells.csv
run score own.cfg/gap timed.csv --name other --run planted --quiet
run score own.cfg/dip/volume timed.csv --name other --run run --quiet
sed -i 's/frames = 8/frames = 9/' own.cfg
run score own.cfg/gap timed.csv --name more --run run --quiet
