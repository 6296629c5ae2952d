# needs-command: script
# A worker killed from outside, and Ctrl-C: what was measured stays, and nothing else is there.
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
# busy PID: a worker of PID that has worked for a fifth of a second
busy() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent && $14 >= 20 { print $1; exit }'
}
# start FOLDER: a run in the background, and on until its slow worker makes a pass
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
echo '# killed'
start killed
kill -KILL "$worker"
finish killed
echo '# Ctrl-C during a pass'
start stopped
kill -INT $supervisor
finish stopped
echo '# the supervisor dies'
start dead
kill -KILL $supervisor
wait $supervisor 2>/dev/null
sleep 0.2
# nobody may be there to reap it
awk '$3 != "Z" { print "its worker goes on:", $3 }' /proc/"$worker"/stat 2>/dev/null
echo '# a live line names what is in work; long passes with evicted caches are told of'
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 600; i++) printf "%d,%.3f,%.6f,0,0,0,0,0,1\n", i, i * 0.001, 2 + i * 1e-6
}' >t.csv
live() { # OPTION...: some seconds of a long run, its lines
    rm -rf live
    script -qec "timeout 5 '$proxbench' run --a box --b box --trajectory t.csv --quantity distance \
        --algorithm floor,exact-distance --launches 900 --cache cache --out live $*" /dev/null \
        </dev/null 2>&1 | tr '\r' '\n' >live.lines
}
live
grep -o ' left: exact-distance' live.lines | sort -u
grep -o 'evicted caches, .*leaves these passes out' live.lines
live --quiet
grep -c 'left\|evicted' live.lines
echo '# Ctrl-C while poses are sampled'
timeout --preserve-status -s INT 1 "$proxbench" run long.cfg --quiet --cache cache --out sampling \
    >/dev/null 2>&1
echo "[$?]"
find sampling -type f | sort
