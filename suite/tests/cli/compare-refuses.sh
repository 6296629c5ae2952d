# Every wrong value and every damaged file gives one line that names the value or the position.
mkdir bad
cells='scenario,variant,quantity,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file,baseline,below_resolution'
launches='scenario,variant,block,launch,protocol,query_ns,p99_ns'
good() {
    printf '%s\n' "$cells" 's,a,distance,ok,1,1,0,0,,,0,9,0,0,0,9,x,a,,0' 's,b,distance,ok,1,1,0,0,,,0,9,0,0,0,9,x,b,a,0' >bad/cells.csv
    printf '%s\n' "$launches" s,a,0,0,warm,1,1 s,b,0,0,warm,1,1 >bad/launches.csv
}
run compare
run compare a b c
run compare nowhere
echo '# a folder without a run, for all commands that read runs; a folder that contains a run is found'
run compare bad
run compare bad bad
run check bad
run replay bad --frame 0
run plot bad
mkdir -p results/bad
good
mv bad/*.csv results/bad
run compare bad --format csv
mv results/bad/* bad
rmdir results/bad
run compare bad --algorithm 'c*'
run compare bad --scenario t
run compare bad --baseline c
run compare bad --format jsn
run compare bad --error 1
run compare bad --error=-1%
run compare bad --for deadline=1
run compare bad --for deadline=0ms
run compare bad --for error=1
run compare bad --for dedline=1ms
run compare bad --for fast
run compare bad --for error=1%,error=2%
run compare bad --basline a
sed -i 's/,below_resolution/,below/' bad/cells.csv
run compare bad
good
sed -i '3s/,0$//' bad/cells.csv
run compare bad
good
sed -i '3s/ok,1/ok,fast/' bad/cells.csv
run compare bad
good
sed -i 's/,launch/,start/' bad/launches.csv
run compare bad
good
echo s,c,0,0,warm,1,1 >>bad/launches.csv
run compare bad
good
echo s,b,0,0,warm,1,1 >>bad/launches.csv
run compare bad
good
echo s,b,0,1,cold,1,1 >>bad/launches.csv
run compare bad
good
echo s,b,0,-1,warm,1,1 >>bad/launches.csv
run compare bad
good
echo s,b,0,1,warm,1 >>bad/launches.csv
run compare bad
rm bad/launches.csv
run compare bad
