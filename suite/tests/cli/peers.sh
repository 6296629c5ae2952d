# check-all: asks every library that is built, in 20 s
# needs-peers
# Every peer that is built agrees with the truth: no violation, no wrong verdict, no error beyond
# rounding. The output does not depend on which peers are built, so a failure adds a line.
unset PROXBENCH_PEERS
peers=
for file in "${proxbench%/*}"/peers/*.so; do
    name=${file##*/}
    peers=$peers,${name%.so}
done
"$proxbench" list algorithms --format csv >list.csv 2>&1
for name in $(echo "$peers" | tr , ' '); do
    grep -q "^$name,.*,4,[a-z ]*,[a-z ]*,[a-z ]*\$" list.csv || echo "$name is not listed, or declares no tolerance of 4 ulp"
done
# Commas within quotes do not separate fields.
unquoted() { awk -F'"' -v OFS= '{for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); print}'; }
grep -v ^faulty, list.csv | unquoted | awk -F, 'NR > 1 && $7 {print $7}' | while read -r key rest; do
    grep -q "^| $key |" "$root/REFERENCES.md" || echo "'$key' is not in REFERENCES.md"
done
echo "$peers" | grep -q fcl && peers=$peers,fcl-voxmap:voxels=8,fcl:bv=rss,fcl:bv=kios,fcl:bv=obb,fcl:report=points,fcl:report=first
echo "$peers" | grep -q ccd && peers=$peers,ccd:method=mpr

# check A B TRAJECTORY QUANTITY: makes one run and prints the errors of its cells. An experiment may
# name variants that do not answer.
check() {
    cat >e.cfg <<END
name = "peers"; mode = "smoke"; variants = ("floor$(echo "$peers" | sed 's/,/", "/g')");
scenarios = ({ name = "pair"; a = "$(readlink -f "$1")"; b = "$(readlink -f "$2")"; quantities = "$4"; trajectory = "$3"; });
END
    "$proxbench" run ./e.cfg --cache cache --out "run$((runs += 1))" --quiet >run.log 2>&1 ||
        { echo "run of $4: exit status $?"; cat run.log; }
    awk -F, -v quantity="$4" '
        NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        # Variants with a comma would be quoted, but there are none here.
        NR > 1 && $at["status"] != "unsupported" && $at["variant"] != "floor" {
            checked++
            if ($at["status"] != "ok" || $at["violations_count"] != 0)
                print $at["variant"], quantity ":", $at["status"], $at["detail"]
            if ($at["frames_judged_count"] != $at["frames_count"] || $at["fp_count"] + $at["fn_count"] > 0)
                print $at["variant"], quantity ":", $at["fp_count"], "fp", $at["fn_count"], "fn"
            error = $at["distance_error_rel_max"] + $at["volume_error_rel_max"]
            if (error > 1e-12) print $at["variant"], quantity ": error", error
        }
        END {exit !checked}' "run$runs/cells.csv" || echo "no variant answers $4"
}
# only NAME...: true if one of them is built
only() {
    for name in "$@"; do
        [ -e "${proxbench%/*}/peers/$name.so" ] && return
    done
    false
}
runs=0
box a.off 0 0 0 1
box b.off 0.1 0.2 0.3 0.25
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,1.5,0.4,0.3,0,0,0,1
1,1,1.2,1.3,-0.7,0.1,0.2,0.3,0.92736184954957
2,2,0.9,0.4,0.1,0,0,0.6,0.8
3,3,0.8,0.7,0.6,0.1,0.2,0.3,0.92736184954957
4,4,-0.3,0.1,0.2,0,0.6,0,0.8
5,5,0.93,0.4,0.1,0,0,0,1
END
only bullet ccd fcl ode pqp && check a.off b.off t.csv contact
only fcl pqp && check a.off b.off t.csv distance
only cgal && check a.off b.off t.csv volume
# B is inside A: the surfaces do not touch, but the solids do, and the volume is that of B.
cat >inside.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,0.2,0.2,0.2,0,0,0,1
END
only bullet ccd fcl ode pqp && check a.off b.off inside.csv contact
only fcl pqp && check a.off b.off inside.csv distance
only cgal && check a.off b.off inside.csv volume
models=$root/../shared/models
reference=$root/../shared/reference/bunny-bunny
if [ -e "$models" ]; then
    bunny=$models/oded-bunny_hr.off
    head -n 9 "$reference-distance.trajectory.csv" >apart.csv
    head -n 4 "$reference-volume.trajectory.csv" >overlap.csv
    only fcl pqp && check "$bunny" "$bunny" apart.csv distance
    only bullet fcl ode pqp && check "$bunny" "$bunny" apart.csv contact
    only bullet fcl ode pqp && check "$bunny" "$bunny" overlap.csv contact
    only cgal && check "$bunny" "$bunny" overlap.csv volume
fi
echo 'the peers are checked'

# Voxels by the boxes of FCL: as many tests as the grid has voxels without its outermost ones. For a
# box whose faces lie in planes of the grid, all surface voxels are found except the eight that it
# touches in one point.
if only fcl; then
    "$proxbench" run --a a.off --b b.off --trajectory t.csv --quantity contact --mode smoke --quiet \
        --algorithm fcl-voxmap:voxels=8 --cache cache --out voxels >run.log 2>&1 || cat run.log
    unquoted <voxels/builds.csv | awk -F, '
        NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        NR > 1 && $at["role"] == "fixed" {
            fixed = 1
            if ($at["voxels_count"] != 12 ^ 3 || $at["box_tests_count"] != 10 ^ 3 ||
                $at["missing_voxels_count"] > 8 || $at["excess_voxels_count"] != 0 ||
                $at["surface_voxels_count"] + $at["missing_voxels_count"] != 10 ^ 3 - 6 ^ 3 || !($at["stage_surface_ns"] > 0)) print
        }
        NR > 1 && $at["role"] == "moving" && $at["surface_voxels_count"] != "" {print "moving:", $0}
        END {exit !fixed}' || echo "no voxels by fcl"
fi
