# check-all: it measures what the clock costs
# tries: 3
# The overhead of the harness per frame: the time of the contestant that does nothing, minus the
# cost of the clock.
printf 'name = "cost"; mode = "ci"; variants = ("floor");\nscenarios = ({ name = "s"; a = "box"; b = "box"; quantities = "distance"; trajectory = { kind = "grid"; lo = 0.1; hi = 0.2; frames = 1000; }; });\n' >cost.cfg
"$proxbench" run cost.cfg --quiet --cache cache --out run >/dev/null 2>&1
cost=$(awk -F, '$1 == "clock" && $2 == "cost_median_ns" { print $3 }' run/manifest.csv)
awk -F, -v cost="$cost" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { more = $at["time_p50_ns"] - cost; print (more < 50 ? "below 50 ns" : "median frame " more " ns above the clock") }
    { print $at["below_resolution"], "below the resolution: passes are timed as a whole" }' run/cells.csv
