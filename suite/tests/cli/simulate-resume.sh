# check-all: it simulates and kills again and again
# A simulation that is killed at any moment, or interrupted, and then resumed gives the same files.
box a.off 0 0 0 1
box b.off -0.2 -0.2 0 0.4
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i <= 450; i++)
        printf "%d,%.3f,%.17g,0.5,%.17g,0.1,0,0,0.99498743710661997\n", i, i * 0.001,
            0.4 + (i > 200) * (i - 200) * 1e-4, 1.06 - 0.05 * (i < 200 ? i / 200 : 1)
}' >t.csv
variants='exact-volume,pst:voxels=12'
# Each simulation is a process of its own, which is killed.
simulate() {
    exec "$proxbench" simulate --a a.off --b b.off --device t.csv --algorithm "$variants" --response auto --cache cache \
        --quiet --out "$1"
}
# all FOLDER: prints all results except measured times
all() { (cd "$1" && cat simulations.csv pair/*.steps.csv trajectories/*); }
# size FOLDER: prints the number of bytes of its tables
size() {
    bytes=0
    for table in $(stat -c %s "$1"/pair/*.csv 2>/dev/null); do
        bytes=$((bytes + table))
    done
    echo $bytes
}

(simulate whole) >/dev/null 2>err || cat err
all whole >expected
wc -l <expected
# go_on FOLDER: starts the simulation, or resumes it
go_on() {
    if [ -e "$1/manifest.csv" ]; then
        exec "$proxbench" simulate --resume "$1" --quiet
    else
        rm -rf "$1"
        simulate "$1"
    fi
}
echo '# killed again and again, each time a moment after it has written something'
kills=0
for folder in one; do
    while :; do
        before=$(size "$folder")
        go_on "$folder" >/dev/null 2>err &
        while [ "$(size "$folder")" -le "$before" ] && [ ! -e "$folder/simulations.csv" ]; do
            sleep 0.02
        done
        sleep "0.0$((kills % 7))"
        # A process that has written simulations.csv is not killed: on a busy machine, each kill
        # could come before its end.
        [ -e "$folder/simulations.csv" ] || { kill -KILL $! 2>/dev/null && kills=$((kills + 1)); }
        wait $! 2>/dev/null
        [ $? -eq 137 ] || break
    done
    all "$folder" | cmp - expected
done
echo '# killed in the middle of a row by a limit of file size that grows each time'
ulimit -c 0
kills=0 blocks=20
{
    until (ulimit -f $blocks && go_on two) >/dev/null; do
        kills=$((kills + 1)) blocks=$((blocks + 50))
        [ $kills -lt 100 ] || break
    done
} 2>/dev/null # discards the messages of the shell about kills
all two | cmp - expected
[ $kills -ge 4 ] || echo "only $kills kills"
echo '# a file ends in the middle of a row'
cp -r whole torn
size=$(wc -c <torn/pair/pst_voxels=12.steps.csv)
head -c $((size / 2)) whole/pair/pst_voxels=12.steps.csv >torn/pair/pst_voxels=12.steps.csv
rm torn/simulations.csv torn/pair/exact-volume.steps.csv
: >'torn/trajectories/pair_exact-volume.csv.1-0.tmp' # an incomplete file of a killed process
"$proxbench" simulate --resume torn --quiet >/dev/null 2>err || cat err
all torn | cmp - expected
echo '# Ctrl-C: status 130 and the command that resumes'
for try in 1 2 3 4 5 6 7 8 9 10; do # on a busy machine, it may end before the signal
    rm -rf stopped
    simulate stopped >out 2>err &
    while [ "$(size stopped)" -lt 10000 ] && [ ! -e stopped/simulations.csv ]; do
        sleep 0.02
    done
    kill -INT $!
    wait $!
    status=$?
    [ $status -eq 0 ] || break
done
echo "[$status]"
cat err
"$proxbench" simulate --resume stopped --quiet >/dev/null 2>err || cat err
all stopped | cmp - expected
grep -c resumed_utc stopped/manifest.csv
echo '# nothing is left to do'
"$proxbench" simulate --resume stopped --quiet >/dev/null 2>err || cat err
all stopped | cmp - expected
echo '# the disk is full: one line and the command that resumes'
(
    trap '' XFSZ
    ulimit -f 200
    (simulate full) >/dev/null 2>err
    echo "[$?]"
)
cat err
"$proxbench" simulate --resume full --quiet >/dev/null 2>err || cat err
all full | cmp - expected
echo '# simulations that cannot be resumed'
box a.off 0 0 0 1.25
run simulate --resume torn --quiet
box a.off 0 0 0 1
awk 'NR == 2 { sub(/0.4/, "0.41") } 1' t.csv >other.csv && mv other.csv t.csv
run simulate --resume torn --quiet
run simulate --resume nowhere
