# Degenerate contact by inner spheres that end at triangles: exact in every frame, of which all are
# known and judged.
"$proxbench" run degenerate --algorithm 'ist-exact*' --scenario '*/distance' --quiet --cache cache --out run >out 2>&1
echo "[$?]"
grep -v '^proxbench: results are in' out | grep proxbench:
sed 's/"[^"]*"/ist-exact/' run/cells.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { cells++; good += $at["status"] == "ok"; frames += $at["frames_count"]; judged += $at["frames_judged_count"]
      violations += $at["violations_count"]
      if ($at["status"] != "ok" || $at["violations_count"] != 0) print $at["scenario"], $at["status"] }
    END { print cells " cells, " good " good; " judged " of " frames " frames judged, " violations " wrong" }'
