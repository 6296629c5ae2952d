# check-all: it watches a long run
# needs-command: script
# A live line names the current work; a note reports long passes with evicted caches. The run is stopped
# when it has written what is expected, so the speed of the machine does not matter.
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 600; i++) printf "%d,%.3f,%.6f,0,0,0,0,0,1\n", i, i * 0.001, 2 + i * 1e-6
}' >t.csv
run="'$proxbench' run --a box --b box --trajectory t.csv --quantity distance --algorithm floor,exact-distance \
    --cache cache"
: >live.raw
script -qec "timeout 600 $run --launches 900 --out live &
    until [ -e done ] || ! kill -0 \$! 2>/dev/null; do sleep 0.1; done
    kill \$! 2>/dev/null; wait" /dev/null </dev/null >live.raw 2>&1 &
current=' left: pass [0-9]* of 3600, frame [0-9]* of 600 of exact-distance'
evicted='evicted caches, .*leaves these passes out'
until grep -q "$current" live.raw && grep -q "$evicted" live.raw || ! kill -0 $! 2>/dev/null; do sleep 0.2; done
touch done
wait
tr '\r' '\n' <live.raw >live.lines
grep -o "$current" live.lines | sed 's/pass [0-9]*/pass N/; s/frame [0-9]*/frame N/' | sort -u
grep -o "$evicted" live.lines
script -qec "$run --launches 12 --out quiet --quiet" /dev/null </dev/null >quiet.raw 2>&1
grep -c 'left\|evicted' quiet.raw || :
grep -c . quiet/cells.csv
