# Rules for naming a winner: without A/A, without a judgement, and if the truth is 0.
mkdir made
{
    echo 'scenario,variant,quantity,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,frames_judged_count,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file,baseline,below_resolution,contract'
    echo 'own,own-truth,distance,ok,2000,3000,,,,,0,0,9,0,0,0,9,x,own-truth,,0,distance=exact'
    echo 'own,slow,distance,ok,9000,9000,0,0,,,9,0,9,0,0,0,9,x,slow,own-truth,0,distance=exact'
    echo 'own,rough,distance,ok,1000,1000,0.2,0.3,,,9,0,9,0,0,0,9,x,rough,own-truth,0,distance=upper-bound'
    echo 'own,idle,distance,ok,10,10,,,,,0,0,0,0,0,0,9,x,idle,own-truth,0,distance=none'
    echo 'deep,crude,unified,ok,500,500,0,0,0.5,0.6,9,9,0,0,0,0,9,x,crude,,0,distance=upper-bound volume=lower-bound'
    echo 'deep,fine,unified,ok,900,900,0,0,1e-17,1e-17,9,9,0,0,0,0,9,x,fine,crude,0,distance=exact volume=exact'
    echo 'apart,crude,volume,ok,500,500,,,,,9,0,9,0,0,0,9,x,crude,,0,volume=lower-bound'
    echo 'apart,fine,volume,ok,900,900,,,,,9,0,9,0,0,0,9,x,fine,crude,0,volume=exact'
} >made/cells.csv
{
    echo 'scenario,variant,block,launch,protocol,query_ns,p99_ns'
    for launch in 0 1 2 3 4 5 6 7 8; do
        printf '%s,0,%s,warm,%s,10\n' own,own-truth $launch 1000 own,slow $launch 4000 \
            own,rough $launch 500 own,idle $launch 10 deep,crude $launch 100 deep,fine $launch 150 \
            apart,crude $launch 100 apart,fine $launch 150
    done
} >made/launches.csv
run compare made
cut -d, -f1-3,7-9,12 made/pareto.csv
echo '# the selection of variants does not change the baseline'
run compare made --scenario own --algorithm own-truth
run compare made --scenario own --algorithm rough --format json
echo '# the selection does not change the judgement of a need'
run compare made --scenario own --for error=1%
run compare made --scenario own --for error=1% --algorithm own-truth
run compare made --scenario own --for error=100%,deadline=1us --format json
echo '# a run in mode smoke takes its truth from exact-distance'
box a.off 0 0 0 1
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1.5,0,0,0,0,0,1\n1,1,1.25,0,0,0,0,0,1\n' >apart.csv
"$proxbench" run --a a.off --b a.off --trajectory apart.csv --quantity distance --mode smoke --rounds 9 \
    --algorithm exact-distance,brute,ist:voxels=8,floor --no-cache --quiet --out smoke >table 2>&1
# Replaces the times of the run: 100 ns for ist, 200 for brute, 300 for exact-distance.
for file in smoke/cells.csv smoke/launches.csv; do
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) { time[i] = $i ~ /^time_|_ns$/; if ($i == "variant") at = i } print; next }
        { ns = $at ~ /ist/ ? 100 : $at ~ /brute/ ? 200 : $at ~ /exact/ ? 300 : 10
          for (i = 1; i <= NF; i++) if (time[i] && $i != "") $i = ns; print }' $file >timed.csv && cp timed.csv $file
done
"$proxbench" compare smoke | awk '$1 == "variant" { part++ }
    { rest = substr($0, length($1) + 1) }
    part == 1 && match(rest, / (floor|not told \(no A\/A\)) /) { print $1 ":" substr(rest, RSTART, RLENGTH) }
    part == 2 && match(rest, / (exact by|on|not on) .*/) { print $1 ":" substr(rest, RSTART) }'
