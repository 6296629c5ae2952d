# Ctrl-C ends with 130, and leaves nothing half-written.
timeout --preserve-status -s INT 1 "$proxbench" trajectory sphere --a bolt --b bolt --lo 0.01 --hi 0.3 \
    --frames 1000000 --out made/t.csv --quiet
echo "[$?]"
ls made 2>/dev/null
box a.off 0 0 0 1
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 200000; i++) printf "%d,%.3f,%.6f,0,0,0,0,0,1\n", i, i * 0.001, 2 + i * 1e-6
}' >t.csv
# whole rows come out, and not all of them
: >rows # the shell may look before the background job has made it
"$proxbench" truth --a a.off --b a.off --trajectory t.csv --quantity distance --method brute \
    --no-cache >rows &
while [ "$(wc -l <rows)" -lt 2 ] && kill -0 $!; do
    sleep 0.1
done
kill -INT $!
wait $!
echo "[$?]"
[ "$(wc -l <rows)" -gt 1 ] && [ "$(wc -l <rows)" -lt 200000 ] || echo 'wrong number of rows'
awk -F, 'NR == 1 { n = NF } NF != n' rows
# TetGen is not waited for
mkdir bin
printf '#!/bin/sh\ntouch asked\nexec sleep 100\n' >bin/tetgen
chmod +x bin/tetgen
PATH=$PWD/bin:$PATH "$proxbench" truth --a a.off --b a.off --trajectory t.csv --quantity volume \
    --no-cache --quiet >rows &
while ! ls "$TMPDIR"/proxbench-tetgen-*/asked >asked 2>&1 && kill -0 $!; do
    sleep 0.1
done
kill -TERM $!
wait $!
echo "[$?]"
ls -d "$TMPDIR"/proxbench-tetgen-* 2>/dev/null
true
