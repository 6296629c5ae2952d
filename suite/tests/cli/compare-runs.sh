# Two runs: answers are compared, times are never judged, and times of two machines are not shown.
mkdir one two
cat >one/cells.csv <<'END'
scenario,variant,quantity,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file
far,ist,distance,ok,50000,60000,0.006,0.02,,,0,9,0,0,0,9,a1,ist
far,ist@twin,distance,ok,50000,60000,0.006,0.02,,,0,9,0,0,0,9,a1,ist_twin
far,exact,unified,ok,90000,120000,0,0,1e-17,2e-17,0,9,0,0,0,9,a3,exact
far,floor,distance,ok,50,50,,,,,0,0,0,0,0,9,a4,floor
END
cat >one/manifest.csv <<'END'
section,key,value
run,start_utc,2020-01-01T00:00:00Z
machine,cpu,Fast 3000
machine,kernel,Linux 6.1
machine,tetgen,/usr/bin/tetgen
machine,load_average,0.5
far,a_hash,aa
END
cp one/* two
sed -i 's/0.5$/7.5/; s/,.usr.*/,none/; s/2020/2021/' two/manifest.csv
run compare one two
sed -i 's/^far,ist,\(.*\)0.02\(.*\)a1/far,ist,\10.03\2a9/; /^far,floor/d' two/cells.csv
echo 'near,ist,distance,ok,1,1,0,0,,,0,9,0,0,0,9,a7,ist' >>two/cells.csv
run compare one two
run compare one two --algorithm exact
sed -i 's/^far,exact,unified,ok/far,exact,unified,wrong/; s/^far,ist,.*/far,ist,distance,timeout,,,,,,,0,0,0,0,0,9,,ist/' two/cells.csv
sed -i 's/Fast 3000/Slow 8/; s/a_hash,aa/a_hash,ab/' two/manifest.csv
echo 'machine,PROXBENCH_THREADS,4' >>two/manifest.csv
run compare one two
run compare one two --format csv
run compare one two --format markdown --out both.md
cat both.md
run compare one two --for deadline=1ms
run compare one two --baseline ist
run compare one two three
run compare one three
rm two/manifest.csv
run compare one two
