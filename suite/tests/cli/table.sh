# Columns that are formulas, of a synthetic run.
mkdir -p made/pair
printf 'section,key,value\nrun,experiment,made\nrun,mode,bench\nrun,exit_status,0\n' >made/manifest.csv
{
    echo 'scenario,variant,quantity,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,frames_judged_count,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file,baseline,below_resolution,build_bytes,contract'
    echo 'pair,pst,distance,ok,2000,3000,0.0012,0.01,,,9,0,9,0,0,0,3,x,pst,,0,1500000,distance=exact'
    echo 'pair,pst@twin,distance,ok,2000,3000,0.0012,0.01,,,9,0,9,0,0,0,3,x,pst_twin,pst,0,1500000,distance=exact'
    echo 'pair,pst:walk=flat,distance,ok,2000,2500000,0.0015,0.02,,,9,0,9,0,0,0,3,x,pst_walk=flat,pst,0,1500000,distance=exact'
} >made/cells.csv
{
    echo 'scenario,variant,block,launch,protocol,query_ns,p99_ns'
    for launch in 0 1 2 3 4 5; do
        echo "pair,pst,0,$launch,warm,$((2000 + launch)),1"
        echo "pair,pst@twin,0,$launch,warm,$((2000 + launch)),1"
        echo "pair,pst:walk=flat,0,$launch,warm,$((4000 + 2 * launch)),1"
    done
} >made/launches.csv
printf 'frame,depth_m,contacts_count\n0,0.25,1\n1,0.5,0\n2,,4\n' >made/pair/pst.csv
printf 'frame,depth_m,contacts_count\n0,0.25,1\n1,0.5,0\n2,0.75,4\n' >made/pair/pst_walk=flat.csv
cat >made.cfg <<'END2'
name = "made"; variants = ( "pst" );
scenarios = ( { name = "pair"; a = "box"; b = "sphere"; quantities = "distance";
    trajectory = { kind = "tumble"; frames = 3; }; } );
END2
table() { run table made --experiment made.cfg "$@"; }
table --columns 'mean: time(warm); longest: time_intrinsic_max_ns; slower : ratio(warm); error: distance_error_size_mean; memory: build_bytes; none: volume_error_rel_mean' --against pst
echo '# statistics over frames; a condition; frames that differ; groups'
table --of frames --where 'contacts_count > 0' --columns 'frames: sum(1); depth: max(depth_m); differ: differs(depth_m, contacts_count)' --against walk=tree
table --of frames --columns 'sum(contacts_count)' --together variants --format csv
table --columns 'time: time(warm)' --algorithm 'pst:*' --format csv
echo '# words; the baseline of the scenario; a time beside statistics; cells that a condition excludes'
table --columns 'status; contract; slower: ratio(warm)'
table --of frames --columns 'mean: time(warm); deep: sum(if(depth_m > 0.3, 1))' --algorithm 'pst:*'
table --columns 'error: distance_error_size_mean' --where 'distance_error_size_mean > 0.0013'
table --together variants --columns "tree: sum(by('pst', distance_error_size_mean)); flat: sum(by('*flat', distance_error_size_mean))"
table --columns status --algorithm pst --format csv
echo '# simulations'
"$proxbench" simulate --scene scrape --algorithm exact-volume,exact-pairs --steps 20 --quiet --out hand >/dev/null 2>&1
run table hand --columns 'driven by: response; ended: status; steps: steps_count; time: time(warm)'
run claims hand
echo '# invalid input'
run table made
run table --columns 1
table --columns ' ; '
table --columns 'a: 1; b: max('
table --columns '1;1;1;1;1;1;1;1;1;1;1;1;1;1'
table --columns 1 --of frame
table --columns 1 --scenario other
