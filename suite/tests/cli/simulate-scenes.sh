# check-all: it simulates whole insertions
# By impulses at the contacts of voxels, a peg goes into its hole and a nut onto its bolt. Neither
# penetrates the other body by more than the width of a voxel (0.78 mm for the bore, 0.73 mm for the
# bolt). The result does not depend on the number of threads.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } END { print $k }' "$1"
}
simulate() {
    PROXBENCH_THREADS=$1 "$proxbench" simulate --scene "$2" --algorithm imp --response impulses $4 --cache cache --quiet \
        --out "$3" >/dev/null 2>err || cat err
}
for scene in peg nut; do
    simulate 3 $scene $scene ''
    file=$scene/$scene/imp.steps.csv
    awk -v scene=$scene -v z="$(column "$file" z_m)" -v device="$(column "$file" device_z_m)" \
        -v deep="$(column $scene/simulations.csv point_depth_settled_max_m)" -v passive="$(column $scene/simulations.csv passive)" 'BEGIN {
        printf "%s: as far in as the device: %s; no deeper than a voxel: %s; passive: %s\n", scene,
            (z - device < 0.001 ? "yes" : "no"), (deep < 0.00073 ? "yes" : "no"), passive
    }'
    column $scene/simulations.csv path_hash
done
echo '# one thread makes the same steps'
simulate 1 peg one '--steps 900'
head -n 902 peg/peg/imp.steps.csv | cmp - one/peg/imp.steps.csv && tail -n 1 one/peg/imp.steps.csv | cut -d, -f1,2
echo '# local penetration depth drives a body by its force, and by impulses at the points of its curves'
for response in force impulses; do
    "$proxbench" simulate --scene scrape --algorithm lpd-exact --response $response --cache cache --quiet --out $response >/dev/null 2>err || cat err
    for name in status response passive through; do
        printf '%s ' "$(column $response/simulations.csv $name)"
    done
    echo
done
