# A worker that is killed from outside, and Ctrl-C: the measurements are kept, and no other file is
# left.
cat >slow.cfg <<'END'
name = "slow"; mode = "ci";
variants = ("floor", "brute", { algorithm = "ist"; voxels = 8; });
scenarios = ({ name = "spheres"; a = "sphere:triangles=2000"; b = "sphere:triangles=2000";
    quantities = "distance"; trajectory = { kind = "sphere"; lo = 0.01; hi = 0.2; frames = 20; }; });
END
cat >long.cfg <<'END'
name = "long"; mode = "ci"; variants = ("floor");
scenarios = ({ name = "bolts"; a = "bolt"; b = "bolt"; quantities = "distance";
    trajectory = { kind = "sphere"; lo = 0.01; hi = 0.3; frames = 1000000; }; });
END
# busy PID: prints a worker of PID that has used a fifth of a second of CPU time
busy() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent && $14 >= 20 { print $1; exit }'
}
# start FOLDER: starts a run in the background, and waits until its slow worker makes a pass
start() {
    "$proxbench" run slow.cfg --quiet --cache cache --out "$1" >"$1.table" 2>"$1.errors" &
    supervisor=$!
    until worker=$(busy $supervisor) && [ "$worker" ] || ! kill -0 $supervisor; do
        sleep 0.1
    done
}
finish() {
    wait $supervisor
    echo "[$?]"
    cat "$1.errors"
    sed -E 's/^([^ ]+) +([^ ]+) +([^ ]+) .*  ([a-z].*)$/\1 \2 \3 \4/' "$1.table"
    find "$1" -type f | sort
    sed -n '/exit_status/p' "$1/manifest.csv"
    awk -F, 'NR == 1 { columns = NF } NF != columns { print "a broken row:", $0 }' "$1/cells.csv"
    [ -z "$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v p=$supervisor '$4 == p')" ] || echo 'orphans'
}
echo '# the run is killed'
start killed
kill -KILL "$worker"
finish killed
echo '# Ctrl-C during a pass'
start stopped
kill -INT $supervisor
finish stopped
echo '# the supervisor is killed'
start dead
kill -KILL $supervisor
wait $supervisor 2>/dev/null
# The worker ends by itself. A zombie has ended, too, because there may be no process that waits for
# it.
while awk '$3 != "Z" { goes_on = 1 } END { exit !goes_on }' /proc/"$worker"/stat 2>/dev/null; do
    sleep 0.05
done
echo '# Ctrl-C during the sampling of poses'
setsid "$proxbench" run long.cfg --quiet --cache cache --out sampling >/dev/null 2>&1 &
until [ -e sampling ] || ! kill -0 $!; do
    sleep 0.05
done
wait_for_handler $!
kill -INT $!
wait $!
echo "[$?]"
find sampling -type f | sort
