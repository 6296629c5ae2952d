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
echo '# verdicts that were given before: of several runs the longest counts; many claims are one row'
claims() { # claims FILE ROW...: writes a file of rows "mode id whose measure paper ours lo hi verdict"
    file=$1
    shift
    head -1 first/claims.csv >"$file"
    for row; do
        echo "$row" | awk '{ sub(/_/, " ", $9); printf "x,%s,,%s,claim of %s,%s,%s,%s,,1,%s,%s,%s,%s,why,\n", $1, $2, $2, $3, $4, $5, $6, $7, $8, $9 }' >>"$file"
    done
}
claims old.csv 'smoke IST-F7a paper ratio(warm) 1 2 1.5 3 cannot_tell' 'smoke IST-F7b paper x 1 0.25 0.25 0.25 holds' \
    'smoke IST-F8 paper x 1 7 7 7 does not hold' 'bench IST-F7a paper ratio(warm) 1 2 1.5 3 holds' \
    'bench IST-T1 ours time(warm) 1 2e6 1e6 3e6 holds' 'smoke VPS-F7a paper x 1 2 2 2 holds' 'smoke IST-F70 paper x 1 2 2 2 holds'
sed -i 's/,does,why,$/,does not hold,why,/' old.csv
run claims old.csv --format markdown --paper IST
run claims old.csv --format markdown --whose paper --paper IST --combine 1
run claims old.csv --whose ours
run claims old.csv --whose ours --format csv | wc -l
echo '# comparison with earlier verdicts: the same, a little apart, and in all ways different'
run claims old.csv --against old.csv
sed 's/,2,1.5,3,/,5,4.5,9,/; s/0.25/0.2500000000001/g; s/,2000000,1000000,3000000,/,1,1,1,/' old.csv >near.csv
run claims near.csv --against old.csv
sed 's/,2,1.5,3,/,8,6.5,9,/; s/0.25/0.2500001/g; s/,7,7,7,does not hold,/,7,7,7,holds,/; /VPS/d' old.csv >far.csv
run claims far.csv --against old.csv
run claims far.csv --against old.csv --paper VPS --format csv
run claims first --experiment first.cfg --against first/claims.csv
grep -v bench old.csv >smoke.csv
run claims smoke.csv --against old.csv
echo '# invalid input'
sed 's/,holds,/,may hold,/' old.csv >unknown.csv
run claims unknown.csv
sed 's/,x,/,x +,/' old.csv >formula.csv
run claims formula.csv
run claims old.csv first
run claims first --whose mine
run claims old.csv --experiment first.cfg
run claims first/cells.csv
run claims old.csv --against nowhere.csv
run claims
run claims first second --experiment first.cfg
run claims first
run claims second --experiment first.cfg
run claims nowhere
sed -i 's/bv_tests_count_mean \//bv_tests_count_mean |/' second.cfg
run claims second --experiment second.cfg
