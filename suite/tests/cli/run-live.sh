# check-all: it watches a run for some seconds
# tries: 3
# needs-command: script
# A live line names the current work; a note reports long passes with evicted caches.
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 600; i++) printf "%d,%.3f,%.6f,0,0,0,0,0,1\n", i, i * 0.001, 2 + i * 1e-6
}' >t.csv
live() { # OPTION...: collects the lines of some seconds of a long run
    rm -rf live
    script -qec "timeout 5 '$proxbench' run --a box --b box --trajectory t.csv --quantity distance \
        --algorithm floor,exact-distance --launches 900 --cache cache --out live $*" /dev/null \
        </dev/null 2>&1 | tr '\r' '\n' >live.lines
}
live
grep -o ' left: pass [0-9]* of 3600, frame [0-9]* of 600 of exact-distance' live.lines | sed 's/pass [0-9]*/pass N/; s/frame [0-9]*/frame N/' | sort -u
grep -o 'evicted caches, .*leaves these passes out' live.lines
live --quiet
grep -c 'left\|evicted' live.lines || :
