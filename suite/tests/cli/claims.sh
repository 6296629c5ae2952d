# Claims of an experiment are judged by synthetic runs, printed, and written as claims.csv.
made() { # made NAME TESTS STATUS: writes a run of one scenario
    mkdir -p "$1"
    printf 'section,key,value\nrun,experiment,%s\nrun,mode,bench\nrun,exit_status,%s\n' "$1" "$3" >"$1/manifest.csv"
    cat >"$1/cells.csv" <<CELLS
scenario,variant,quantity,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,frames_judged_count,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file,baseline,below_resolution,bv_tests_count_mean,build_bytes
pair,pst,distance,ok,2000,3000,0.0012,0.01,,,9,0,9,0,0,0,9,x,pst,,0,$2,1500000
pair,pst:walk=flat,distance,ok,2000,2500000,0.0015,0.02,,,9,0,9,0,0,0,9,x,pst_walk=flat,pst,0,7,1500000
CELLS
    echo 'scenario,variant,block,launch,protocol,query_ns,p99_ns' >"$1/launches.csv"
    echo 'pair,pst,0,0,warm,10,10' >>"$1/launches.csv"
    cat >"$1.cfg" <<'CFG'
title = "made up"; paper = "PST"; item = "figure 1"; variants = ( "pst", "pst:walk=flat" );
scenarios = ( { name = "pair"; a = "box"; b = "sphere"; quantities = "distance";
    trajectory = { kind = "tumble"; frames = 9; }; } );
claims = (
  { id = "F1a"; whose = "paper"; claim = "no frame takes longer than 2 ms"; paper = 2e6;
    measure = "time_intrinsic_max_ns"; at_most = "paper"; },
  { id = "F1b"; whose = "paper"; claim = "the mean error is at most 0.15 % of the size";
    paper = 0.0015; measure = "distance_error_size_mean"; at_most = "paper"; },
  { id = "F1c"; whose = "ours"; claim = "the tree tests at least three times as many spheres";
    variants = "pst"; against = "walk=flat"; expected = true;
    measure = "bv_tests_count_mean / other.bv_tests_count_mean"; at_least = 3.0; },
  { id = "F1d"; whose = "ours"; claim = "the tree is faster than the flat walk"; variants = "pst";
    against = "walk=flat"; measure = "1 / ratio(warm)"; at_least = 1.0; },
  { id = "F1e"; whose = "ours"; claim = "bodies take 1.5 MB"; measure = "build_bytes";
    at_least = 1.5e6; at_most = 1.5e6; },
  { id = "F1f"; whose = "ours"; claim = "the same run elsewhere"; experiments = "elsewhere";
    measure = "sum(promises())"; together = "all"; at_most = 0.0; }
);
CFG
    sed -i "1s/^/name = \"$1\"; /" "$1.cfg"
}
made first 28 0
run claims first --experiment first.cfg
cat first/claims.csv
echo '# an expected claim does not hold; the formats of the output'
made second 14 0
run claims second --experiment second.cfg --format markdown
run claims second --experiment second.cfg --format json | grep -c '"verdict": "cannot tell"'
run claims second --experiment second.cfg --format csv --out claims-again.csv
cmp claims-again.csv second/claims.csv
echo '# the run was interrupted'
made third 28 130
run claims third --experiment third.cfg --format csv | grep -c 'third: the run was interrupted'
echo '# invalid input'
run claims
run claims first second --experiment first.cfg
run claims first
run claims second --experiment first.cfg
run claims nowhere
sed -i 's/bv_tests_count_mean \//bv_tests_count_mean |/' second.cfg
run claims second --experiment second.cfg
