# check-all: it measures many launches
# Contestants that do not fit into memory together are split into blocks, each with the baseline and
# its twin.
cat >small.cfg <<'END'
name = "small"; mode = "bench"; launches = 8; rounds = 1;
variants = ("exact-distance", { algorithm = "ist"; voxels = [6, 8, 10, 12]; });
scenarios = ({ name = "s"; a = "box"; b = "sphere:triangles=180"; quantities = "distance";
    trajectory = { kind = "sphere"; lo = 0.01; hi = 0.2; frames = 10; }; });
END
"$proxbench" run small.cfg --quiet --cache cache --warm-only --out one >/dev/null 2>&1
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$1"
}
most=$(column one/cells.csv rss_bytes | sort -n | tail -n 1)
"$proxbench" run small.cfg --quiet --cache cache --warm-only --out several \
    --memory "$(awk -v most="$most" 'BEGIN { printf "%.6f", 3.2 * most / 1e9 }')" >/dev/null 2>&1
echo "[$?]"
# passes of each variant: 8 launches with a warm-up and a warm pass each, in each block that has the
# variant
for run in one several; do
    awk -F, -v run=$run 'NR > 1 { if (!(($2, $4) in seen)) { seen[$2, $4] = 1; in_blocks[$2]++ }; blocks[$4] = 1; passes[$2]++ }
        END {
            for (b in blocks) n++
            print run ": " (n > 1 ? "several blocks" : "one block")
            for (v in passes)
                print v ": " passes[v] / in_blocks[v] " passes in each block,", in_blocks[v] == n ? "in all" : in_blocks[v] == 1 ? "in one" : "in some"
        }' $run/passes.csv | sort
done
# all variants are compared, whatever block they are in
"$proxbench" compare several --format csv >ratios
awk -F, 'NR > 1 && $4 == "query_ns" { print $2, "against", $3 ":", $10, "launches" }' ratios
