# Report of a finished run about its variants. The run is synthetic: 8 launches with known ratios to
# the baseline. Every other launch runs at half speed for all variants.
mkdir -p results/made
cat >results/made/cells.csv <<'END'
scenario,variant,quantity,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file,baseline,below_resolution,contract
bolt/far,ist:voxels=32,distance,ok,50000,60000,0.006,0.02,,,0,9,0,0,0,9,a1,ist_voxels=32,,0,distance=upper-bound
bolt/far,ist:voxels=32@twin,distance,ok,50100,60000,0.006,0.02,,,0,9,0,0,0,9,a1,ist_voxels=32_twin,ist:voxels=32,0,distance=upper-bound
bolt/far,"ist:radius=primary,voxels=64",distance,ok,100000,120000,0.003,0.008,,,0,9,0,0,0,9,a2,ist_radius=primary_voxels=64,ist:voxels=32,0,distance=upper-bound
bolt/far,brute,distance,ok,29000000,31000000,0,0,,,0,9,0,0,0,9,a3,brute,ist:voxels=32,0,distance=exact
bolt/far,exact,distance,ok,90000,1200000,1e-17,2e-17,,,0,9,0,0,0,9,a3,exact,ist:voxels=32,0,distance=exact
bolt/far,floor,distance,ok,50,50,,,,,0,0,0,0,0,9,a4,floor,ist:voxels=32,1,distance=none
bolt/far,always-far,distance,wrong,40,40,0.5,0.9,,,0,9,0,0,0,9,a5,always-far,ist:voxels=32,0,distance=upper-bound
bolt/far,crashing,distance,crash,,,,,,,0,0,0,0,0,9,,crashing,ist:voxels=32,0,distance=upper-bound
bolt/deep,ist:voxels=32,volume,ok,180000,190000,,,0.11,1.02,9,0,0,0,0,9,b1,ist_voxels=32,,0,volume=upper-bound
bolt/deep,exact,volume,ok,500000,520000,,,1e-16,2e-16,9,0,0,0,0,9,b2,exact,ist:voxels=32,0,volume=exact
bolt/touch,exact,contact,ok,7000,8000,,,,,4,5,0,0,0,9,c1,exact,,0,contact=exact
END
{
    echo 'scenario,variant,baseline,block,launch,protocol,rounds,query_ns,p50_ns,p99_ns,max_ns'
    awk 'function put(variant, ratio, protocol, evicted) {
        for (launch = variant == "brute" ? 7 : 0; launch < 8; launch++)
            printf "bolt/far,\"%s\",,0,%d,%s,3,%.0f,,%.0f,\n", variant, launch, protocol,
                1e8 * (1 + launch % 2) * evicted * ratio * (ratio == 1 ? 1 : 1 + (launch - 3.5) / 400),
                5e6 * (1 + launch % 2) * evicted * ratio
    }
    function all(variant, ratio) {
        put(variant, ratio, "warm", 1)
        put(variant, ratio < 1 ? 1 : ratio, "evicted", 2)
    }
    BEGIN {
        all("ist:voxels=32", 1); all("ist:voxels=32@twin", 1.005); all("exact", 0.8); all("brute", 400)
        all("ist:radius=primary,voxels=64", 1.01); all("floor", 0.0005); all("always-far", 0.001)
        for (i = 0; i < 2; i++) {
            printf "bolt/deep,ist:voxels=32,,0,%d,warm,3,100,1,10,10\n", i
            printf "bolt/deep,exact,,0,%d,warm,3,400,3,30,30\n", i
        }
    }'
} >results/made/launches.csv
run compare made
run compare results/made --algorithm 'ist*,exact' --scenario 'bolt/f*' --error 0.1%
echo '# the files hold the whole run, independent of what is shown'
# rounded: rounds numbers, because their last digits depend on log and exp of the machine
rounded() {
    sed 's/"[^"]*"/ist64/' | awk -F, -v OFS=, '{
        for (i = 6; i <= 12; i++) if ($i ~ /^[0-9.e-]+$/) $i = sprintf("%.6g", $i)
        print
    }'
}
rounded <results/made/compare.csv
cat results/made/pareto.csv
run compare made --baseline exact --format csv --scenario bolt/far --algorithm 'ist:voxels=32,ist:voxels=32@twin' | rounded
echo "against exact: $(grep -c ',exact,' results/made/compare.csv)"
run compare made --baseline exact --scenario bolt/far
run compare made --algorithm '*@twin' --scenario bolt/far
run compare made --format markdown --out made.md
cat made.md
run compare made --for deadline=1ms,error=1%
run compare made --for deadline=2ms,error=1%
run compare made --for deadline=100us --algorithm 'ist*'
run compare made --for 'error=0%,deadline=100us' --format csv
run compare made --for deadline=50us,error=0.1% --scenario bolt/far --algorithm 'ist*,exact' --format markdown
echo '# a run in a read-only folder is compared, too'
rm -r results/made/compare.csv results/made/pareto.csv
mkdir results/made/compare.csv results/made/pareto.csv
run compare made --scenario bolt/touch
