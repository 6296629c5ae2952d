# Runs the experiment smoke. Every cell must end as expected. Its answers must not depend on the
# number of threads, on the mode or on the cache.
cp "$root/scenarios/experiments/smoke.cfg" .
PROXBENCH_THREADS=1 "$proxbench" run smoke.cfg --quiet --cache cache --out all >table 2>errors
echo "[$?]"
cat errors
sed -E 's/^([^ ]+) +([^ ]+) +([^ ]+) .*  ([a-z].*)$/\1 \2 \3 \4/' table
# hashes FOLDER: prints scenario, variant and hash of the answers
hashes() {
    sed 's/"\([^",]*\),\([^",]*\)"/\1;\2/g' "$1/cells.csv" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) hash = $i == "answers_hash" ? i : hash }
            { print $1, $2, $hash }'
}
PROXBENCH_THREADS=2 "$proxbench" run smoke.cfg --scenario grid,press,tumble --quiet --cache cache2 --out threads2 \
    >/dev/null 2>&1
hashes all | grep -E '^(scenario|grid|press|tumble) ' >expected
hashes threads2 | cmp - expected && echo 'the same answers with two threads'
cmp all/trajectories/tumble.csv threads2/trajectories/tumble.csv
"$proxbench" run smoke.cfg --scenario grid,press,tumble --quiet --cache cache --out again --mode ci \
    >/dev/null 2>&1
hashes again | cmp - expected && echo 'the same answers in another mode, with the cache of before'
"$proxbench" run smoke.cfg --scenario grid,press,tumble --quiet --cache cache --out seed --seed 2 \
    >/dev/null 2>&1
echo '# another seed'
diff -r again/trajectories seed/trajectories && echo 'the same poses'
hashes seed | diff expected - | sed -n 's/^< \(.*\) [^ ]*$/\1/p'
