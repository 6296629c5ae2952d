# A simulated hand on a pair of own bodies and on a scene; the responses of variants; invalid
# commands.
box a.off 0 0 0 1
box b.off -0.2 -0.2 0 0.4
# The body moves down onto the cube, tilted, and then along it.
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i <= 400; i++)
        printf "%d,%.3f,%.17g,0.5,%.17g,0.1,0,0,0.99498743710661997\n", i, i * 0.001,
            0.4 + (i > 200) * (i - 200) * 5e-4, 1.06 - 0.05 * (i < 200 ? i / 200 : 1)
}' >t.csv
own='--a a.off --b b.off --device t.csv --no-cache --quiet'

# table FILE: prints it without the times, which are in the last column
table() { sed 's/ *[^ ]*$//' "$1"; }

# fields FILE COLUMN...: prints these columns of all rows
fields() {
    file=$1
    shift
    awk -F, -v wanted="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, name, " ") }
        { for (i = 1; i <= n; i++) printf "%s%s", $(at[name[i]]), i < n ? " " : "\n" }' "$file"
}

"$proxbench" simulate $own --algorithm 'exact-volume,vps:voxels=16,pst:voxels=16' --out own >out 2>err
echo "[$?]"
cat err
table out
fields own/simulations.csv variant response force_unit steps_count passive through chatter_count path_hash
fields own/simulation_times.csv variant steps_count file
(cd own && find . -type f | sort)
wc -l own/pair/*.csv
echo '# the path is a trajectory; the manifest has its hash and that of the device'
head -n 2 own/trajectories/pair_exact-volume.csv
grep '^pair,' own/manifest.csv
"$proxbench" simulate --a a.off --b b.off --device own/trajectories/pair_exact-volume.csv --no-cache --quiet \
    --algorithm exact-volume --steps 100 --out again >out 2>&1
echo "[$?]"
echo '# the same for any number of threads'
for threads in 1 3; do
    PROXBENCH_THREADS=$threads "$proxbench" simulate $own --algorithm 'exact-volume,pst:voxels=16' --judge 3 --steps 250 \
        --out "threads$threads" >out 2>&1
    (cd "threads$threads" && cat simulations.csv pair/*.steps.csv trajectories/*) >"all$threads"
done
cmp all1 all3
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "point_depth_m") c = i; next } $c != "" { n++ }
    END { print n, "of", NR - 1, "steps judged" }' threads1/pair/exact-volume.steps.csv
echo '# a run of fewer steps equals the first steps of a longer one'
"$proxbench" simulate $own --algorithm pst:voxels=16 --steps 100 --out few >out 2>&1
head -n 102 own/pair/pst_voxels=16.steps.csv | cmp - few/pair/pst_voxels=16.steps.csv
echo '# impulses: limits, and variants whose contacts cannot be resolved'
"$proxbench" simulate $own --algorithm 'pst:voxels=16,exact-pairs,exact-volume' --response impulses \
    --resolve 0.1 --impulses 3 --slop 0.001 --out impulses >out 2>err
echo "[$?]"
cat err
fields impulses/simulations.csv variant response status steps_count cut_count gain passive detail
echo '# wrong answers, and forces that are too large for a step'
"$proxbench" simulate $own --algorithm 'faulty:fault=nan' --out wrong >out 2>err
echo "[$?]"
cat err
"$proxbench" simulate $own --algorithm exact-volume --stiffness 1e300 --out stiff >out 2>err
echo "[$?]"
sed 's/at [0-9.e-]* s/at some time/' err
fields stiff/simulations.csv variant status passive
echo '# A is not a solid: the simulation runs, has its own status and is judged by paths only'
head -n 21 a.off | sed '2s/12/11/' >open.off
"$proxbench" simulate --a open.off --b b.off --device t.csv --no-cache --quiet --algorithm 'vps:voxels=16' \
    --out open >out 2>err
echo "[$?]"
cut -c 1-100 err
fields open/simulations.csv variant status gain volume_max_m3 through
run simulate --a a.off --b open.off --device t.csv --algorithm vps --quiet --no-cache --out moved-open
echo '# a scene with fewer steps'
"$proxbench" simulate --scene 'pe*,peg' --steps 30 --algorithm exact-volume --out scene --no-cache --quiet >out 2>&1
table out
echo '# invalid questions'
run simulate
run simulate --scene pag --algorithm vps
run simulate --scene peg
run simulate --a a.off --b b.off --algorithm vps
run simulate --a a.off --scene peg --algorithm vps
run simulate --scene peg --algorithm vsp
run simulate --scene peg --algorithm vps --response forces
run simulate --scene peg --algorithm vps --judge 0
run simulate --scene peg --algorithm vps --density -1 --out minus --quiet
run simulate --scene peg --algorithm vps --out own
run simulate peg
run simulate --resume own --steps 3
run run --resume own
