# An algorithm that declares to keep no state also makes a pass in shuffled order: its answers must
# be equal to the last bit, and its times are in no statistic. A contestant that reads memory after
# a pose does not find another pose.
cube_poses
"$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity distance --mode ci --launches 2 --quiet \
    --cache cache --out out --algorithm \
    'brute,cheats-stateless:cheat=by-number,cheats:cheat=by-number,cheats:cheat=reads-ahead' >table 2>errors
echo "[$?]"
sed 's/.*  \(cheats[^ ]*\|brute\) .*  \(ok\|wrong\|crash\)/\1 \2/' table | sed 1d
echo '# the passes of each variant'
awk -F, 'NR > 1 { count[$2 " " $8]++ } END { for (k in count) print k, count[k] }' out/passes.csv | sort
awk -F, 'NR > 1 && $2 == "brute" { print $23 }' out/passes.csv | sort -u | wc -l
echo '# without a shuffled pass the manifest, statistics and the answers are the same'
grep rounds_per_launch out/manifest.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
    { print $place["variant"], $place["passes_count"] }' out/cells.csv
echo '# a resumed run makes the missing shuffled pass'
cp -r out cut
size=$(wc -c <cut/pair/brute.passes)
truncate -s $((size - 100)) cut/pair/brute.passes
"$proxbench" run --resume cut --quiet >/dev/null 2>&1
echo "[$?]"
awk -F, '$2 == "brute" { print $5, $8 }' cut/passes.csv
