# check-all: it compares times of real code
# tries: 3
# A contestant that is slower by half is reported as slower on any machine. The detection rate of
# smaller slowdowns, and the rate of false alarms, are measured but not tested.
sed 's/frames = 200/frames = 100/' "$root/scenarios/experiments/faulty.cfg" >faulty.cfg
"$proxbench" run faulty.cfg --mode bench --launches 12 --rounds 3 --warm-only --quiet --cache cache --out slow \
    --algorithm 'brute,faulty:fault=slow-50' >/dev/null 2>errors
echo "[$?]"
"$proxbench" compare slow --format csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
    $place["metric"] == "query_ns" && $place["protocol"] == "warm" && !/@twin/ {
        print $place["variant"], $place["baseline"], $place["launches_count"], $place["verdict"]
    }'
"$proxbench" compare slow --format csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
    $place["aa_lo"] != "" { print "A/A 1 [" $place["aa_lo"] ", " $place["aa_hi"] "]" }' >intervals
echo '# a frame of 50 ms is the slowest one and misses its deadline in each pass'
"$proxbench" run faulty.cfg --mode ci --quiet --cache cache --out once --algorithm 'brute,faulty,faulty:fault=slow-once' \
    >/dev/null 2>errors
echo "[$?]"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
    $place["time_intrinsic_max_ns"] >= 50e6 { print $place["variant"], $place["slowest_frame"],
        ($place["misses_5ms_count"] >= 2 ? "misses" : $place["misses_5ms_count"]) }' once/cells.csv
tell_noise intervals
