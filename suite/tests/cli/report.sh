# A summary of a run, on the screen and as a page. The run is synthetic: 9 launches with known
# ratios. It has no meshes, so no frame is shown in 3D.
mkdir -p three/examples/js/controls three/examples/js/lines
echo 'authors of <three>' >three/copyright
for script in three.min controls/OrbitControls lines/LineSegmentsGeometry lines/LineGeometry lines/LineMaterial \
    lines/LineSegments2 lines/Line2; do
    case $script in */*) path=three/examples/js/$script.js ;; *) path=three/$script.js ;; esac
    echo "// $script" >$path
done
export PROXBENCH_THREE=three
mkdir -p made/figures made/press/figures
printf 'section,key,value\nrun,experiment,made\nrun,title,Fast & <exact>\nrun,mode,bench\nsuite,version,0.0.0\n' >made/manifest.csv
{
    echo 'scenario,variant,quantity,status,time_p50_ns,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,distance_error_rel_mean,distance_error_rel_max,volume_error_rel_mean,volume_error_rel_max,force_direction_deg_mean,force_direction_deg_max,frames_judged_count,tp_count,tn_count,fp_count,fn_count,violations_count,frames_count,answers_hash,file,baseline,below_resolution,contract,tolerance,distance_within_share,force_within_share'
    echo 'far,exact-distance,distance,ok,300,1000,1000,0,0,0,0,,,,,9,0,9,0,0,0,9,x,exact-distance,,0,distance=exact,distance_error_rel=0.01,1,'
    echo 'far,exact-distance@twin,distance,ok,300,1000,1000,0,0,0,0,,,,,9,0,9,0,0,0,9,x,exact-distance_twin,exact-distance,0,distance=exact,distance_error_rel=0.01,1,'
    echo 'far,pst,distance,ok,100,500,500,0.0001,0.0002,0.004,0.01,,,,,9,0,9,0,0,0,9,x,pst,exact-distance,0,distance=upper-bound,distance_error_rel=0.01,1,'
    echo 'far,ist:voxels=64,distance,ok,10,100,100,0.001,0.002,0.05,0.2,,,,,9,0,9,0,0,0,9,x,ist_voxels=64,exact-distance,0,distance=upper-bound,distance_error_rel=0.01,0.25,'
    echo 'far,fcl,distance,ok,9000,20000,20000,0,0,0,0,,,,,9,0,9,0,0,0,9,x,fcl,exact-distance,0,distance=exact,distance_error_rel=0.01,1,'
    echo 'touch,exact-volume,force,ok,300,1000,1000,,,,,0,0,,,0,9,0,0,0,0,9,x,exact-volume,,0,force=exact,force_direction_deg=10,,'
    echo 'touch,vps,force,ok,100,600,600,,,,,0.1,0.2,4,12,9,9,0,0,0,0,9,x,vps,exact-volume,0,force=approximate,force_direction_deg=10,,0.75'
    echo 'touch,lpd,force,ok,100,700,700,,,,,,,2,9,9,9,0,0,0,0,9,x,lpd,exact-volume,0,force=approximate,force_direction_deg=10,,1'
    echo 'meet,exact-pairs,contact,ok,300,1000,1000,,,,,,,,,9,4,5,0,0,0,9,x,exact-pairs,,0,contact=exact,,,'
    echo 'meet,"fcl:bv=obb",contact,ok,900,9000,9000,,,,,,,,,9,4,5,0,0,0,9,x,fcl_bv=obb,exact-pairs,0,contact=exact,,,'
    echo 'meet,"lpd:cells=27,k=1,merge=models,merge-factor=0,pixels=32,window=grown",contact,ok,900,900,900,,,,,,,,,9,4,4,1,0,0,9,x,lpd_cells=27_k=1_merge=models_merge-factor=0_pixels=32_window=grown,exact-pairs,0,contact=approximate,,,'
} >made/cells.csv
{
    echo 'scenario,variant,block,launch,protocol,query_ns,p99_ns'
    for launch in 0 1 2 3 4 5 6 7 8; do
        printf '%s,0,%s,warm,%s,%s\n' far,exact-distance $launch 400 1000 far,exact-distance@twin $launch 400 1000 \
            far,pst $launch 200 500 far,ist:voxels=64 $launch 20 $((98 + launch / 2)) far,fcl $launch 8000 20000 \
            touch,exact-volume $launch 400 1000 touch,vps $launch 200 600 touch,lpd $launch 200 700 \
            meet,exact-pairs $launch 400 1000 meet,fcl:bv=obb $launch 400 9000 \
            'meet,"lpd:cells=27,k=1,merge=models,merge-factor=0,pixels=32,window=grown"' $launch 400 900
    done
} >made/launches.csv
echo '<svg/>' | tee made/figures/far-distance-pareto.svg made/figures/touch-force-deadline.svg \
    made/press/figures/press-force-simulation-depths.svg >/dev/null
{
    echo 'picture,scenario,quantity,figure,variants,experiment,mode,start_utc,version,commit,cpu,cpus_online'
    echo 'far-distance-pareto.svg,far,distance,pareto,,,,,,,,'
    echo 'touch-force-deadline.svg,touch,force,deadline,,,,,,,,'
} >made/figures/index.csv
{
    head -n 1 made/figures/index.csv
    echo 'press-force-simulation-depths.svg,press,force,simulation-depths,,,,,,,,'
} >made/press/figures/index.csv
{
    "$proxbench" list columns --format csv | awk -F, '$1 == "simulations.csv" { printf "%s%s", n++ ? "," : "", $2 } END { print "" }'
} >names
awk -F, -v OFS=, '{
    print
    for (r = 0; r < 2; r++) {
        line = ""
        for (i = 1; i <= NF; i++) {
            v = ""
            if ($i == "scene") v = "press"
            else if ($i == "variant") v = r ? "imp" : "vps"
            else if ($i == "file") v = r ? "imp" : "vps"
            else if ($i == "response") v = r ? "impulses" : "force"
            else if ($i == "status") v = "ok"
            else if ($i == "point_depth_max_m") v = r ? "" : "0.0015"
            else if ($i == "passive") v = r ? 0 : 1
            else if ($i ~ /count$/) v = 0
            line = line (i > 1 ? "," : "") v
        }
        print line
    }
}' names >made/press/simulations.csv
run report made
echo '# the page has escaped texts, scripts of three.js with their notice, each figure once, the simulation'
grep -o '<title>.*\|^// [A-Za-z0-9.]*\(\.min\|/.*\)$\|<pre>.*' made/report.html
grep -o '"title":"[^"]*"\|"file":"[^"]*svg"\|"folder": *"[^"]*"' made/report.html
grep -c '<img\|src="http' made/report.html
tr '{' '\n' <made/report.html | grep '^"scenario":.*"label":"pst"'
echo '# a text of a run cannot end the data'
cp -r made hostile
{
    sed -n '1s/$/,detail/p' made/cells.csv
    sed '1d; s/$/,/; /^touch,lpd/s/,ok,/,failed,/; /^touch,lpd/s,$,</script><script>alert(1)</script>,' made/cells.csv
} >hostile/cells.csv
run report hostile --out hostile.html >/dev/null
grep -c '<script' hostile.html made/report.html
grep -o '.u003c/script>.u003cscript>alert(1).u003c/script>' hostile.html | sort | uniq -c
echo '# runs side by side'
cp -r made other
sed -i 's/^far/near/; s/^touch/tip/; s/^meet/part/' other/cells.csv other/launches.csv
"$proxbench" report made hostile --out two.html 2>&1 | grep -v '^$' | grep -n '^made\|^hostile\|^All\|common'
"$proxbench" report made other --out two.html 2>&1 | grep 'common'
grep -o '"apart":"[^"]*"' two.html
echo '# without three.js, and without the end of the run'
PROXBENCH_THREE=none "$proxbench" report made --out none.html 2>&1 | grep 'warning' 
grep -o '"three_fault":"[^"]*"\|This run is not finished' none.html
mkdir -p half && cp made/manifest.csv half/ && head -c 1000 made/cells.csv >half/cells.csv
run report half
echo '# a frame in 3D needs the meshes of the run'
"$proxbench" model box --triangles 12 --out a.off 2>/dev/null
"$proxbench" trajectory sphere --a a.off --b box --hi 0.2 --frames 4 --out t.csv 2>/dev/null
"$proxbench" run --a a.off --b box --trajectory t.csv --quantity distance --algorithm 'exact-distance,ist:voxels=5' \
    --mode smoke --no-cache --out own >/dev/null 2>&1
tell_space() {
    "$proxbench" report own --no-cache 2>&1 >/dev/null | sed 's/hash [0-9a-f]*, recorded [0-9a-f]*/hash X, recorded Y/'
    tr '{' '\n' <own/report.html | sed -n 's/.*"missing":"\([^:]*\).*/\1/p; s/.*"kind":"\([a-z]*\)".*/\1/p' | sort | uniq -c
}
tell_space
"$proxbench" model torus --triangles 400 --out a.off 2>/dev/null
tell_space
rm a.off
tell_space
echo '# a busy machine: the ratio is that of the p99 in the table; a row is marked ! if its launches give another ratio'
cp -r made busy
printf 'run,experiment,smoke\nmachine,load_average,11.84 9.1 4.0\nmachine,cpus_online,2\n' >>busy/manifest.csv
sed -i '/^run,experiment,made/d' busy/manifest.csv
sed -i -E 's/^(far,fcl,0,[0-9],warm,8000),20000/\1,200000/; s/^(far,exact-distance@twin,0,[0-9],warm),400/\1,500/' busy/launches.csv
"$proxbench" report busy 2>/dev/null | sed -n '/^far/,/^touch/p; /^The machine/p; /^Next/,$p'
grep -o '"notes":.*' busy/report.html; grep -o '"The machine[^"]*"' busy/report.html
awk -F, '$3 == "fcl" { print $4, $(NF - 3), $(NF - 2) }' busy/pareto.csv
echo '# bodies that never overlap have no row of forces'
cp -r made apart && rm -r apart/figures
sed -i -E '/^touch/s/,9,9,0,0,0,0,9,x/,9,0,9,0,0,0,9,x/; /^touch/s/,0,9,0,0,0,0,9,x/,0,0,9,0,0,0,9,x/' apart/cells.csv
"$proxbench" report apart 2>/dev/null | grep '^touch\|^No frame\|^Figures\|^All'
grep -o '"No frame[^"]*"' apart/report.html
echo '# no line is longer than 110 columns'
for folder in made busy apart; do "$proxbench" report $folder 2>/dev/null | awk 'length($0) > 110'; done
echo '# without an exact method'
cp -r made rough
sed -i 's,distance=exact,distance=upper-bound,' rough/cells.csv
"$proxbench" report rough 2>/dev/null | grep '^far'
run report
run report none
run report made made made made made made made made made
run report made --out folder/ >/dev/null
