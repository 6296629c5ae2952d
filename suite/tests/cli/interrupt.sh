# Ctrl-C ends the program with status 130, and no incomplete file is left.
setsid "$proxbench" trajectory sphere --a bolt --b bolt --lo 0.01 --hi 0.3 --frames 1000000 \
    --out made/t.csv --quiet &
wait_for_handler $!
kill -INT $!
wait $!
echo "[$?]"
ls made 2>/dev/null
box a.off 0 0 0 1
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 200000; i++) printf "%d,%.3f,%.6f,0,0,0,0,0,1\n", i, i * 0.001, 2 + i * 1e-6
}' >t.csv
# Only whole rows are printed, and not all of them.
: >rows # the loop may read the file before the background job has created it
"$proxbench" truth --a a.off --b a.off --trajectory t.csv --quantity distance --method brute \
    --no-cache --quiet >rows &
while [ "$(wc -l <rows)" -lt 2 ] && kill -0 $!; do
    sleep 0.1
done
kill -INT $!
wait $!
echo "[$?]"
[ "$(wc -l <rows)" -gt 1 ] && [ "$(wc -l <rows)" -lt 200000 ] || echo 'wrong number of rows'
awk -F, 'NR == 1 { n = NF } NF != n' rows
# TetGen ends at once when Ctrl-C or SIGTERM ends the program that runs it, and leaves no file.
mkdir bin
cat >bin/tetgen <<'END'
#!/bin/sh
echo $$ >"$NOTE"
exec sleep 900
END
chmod +x bin/tetgen
export NOTE=$PWD/tetgen.pid
gone() { # PID: true if it has ended, or is a zombie that was not waited for
    [ ! -d "/proc/$1" ] || grep -q '^[0-9]* (.*) Z' "/proc/$1/stat" 2>/dev/null
}
interrupt() { # SIGNAL ARGUMENT...: ends the command while tetgen runs
    signal=$1
    shift
    rm -f "$NOTE"
    # In a process group of its own, with the default action for signals, which `&` would ignore.
    PATH=$PWD/bin:$PATH setsid "$proxbench" "$@" >out 2>err &
    while [ ! -s "$NOTE" ] && kill -0 $! 2>/dev/null; do
        sleep 0.05
    done
    tetgen=$(cat "$NOTE")
    begin=$(date +%s)
    kill -"$signal" $!
    wait $!
    echo "$signal $1 [$?]"
    until gone "$tetgen"; do
        sleep 0.05
    done
    # Less time than tetgen needs by itself.
    [ $(($(date +%s) - begin)) -lt 800 ] || echo 'it waited for tetgen'
    ls -d "$TMPDIR"/proxbench-* 2>/dev/null
}
head -n 5 t.csv >few.csv
pose='--pose 2,0,0,0,0,0,1'
for signal in INT TERM; do
    interrupt $signal truth --a a.off --b a.off --trajectory few.csv --quantity volume --no-cache --quiet
    interrupt $signal query --a a.off --b a.off --algorithm exact-tetra $pose
    interrupt $signal run --a a.off --b a.off --trajectory few.csv --quantity volume \
        --algorithm exact-volume --no-cache --out run-$signal --quiet
    interrupt $signal run --a a.off --b a.off --trajectory few.csv --quantity volume --mode smoke \
        --algorithm exact-tetra --no-cache --out worker-$signal --quiet
done
"$proxbench" run --a a.off --b a.off --trajectory few.csv --quantity volume --mode smoke \
    --algorithm exact-tetra --no-cache --out whole --quiet >/dev/null 2>&1
interrupt INT replay whole --frame 1 --no-cache
# Interrupting a mesh that arrives slowly leaves no file either.
mkfifo slow
sleep 900 >slow &
sleeper=$!
setsid "$proxbench" mesh check - <slow >out 2>err &
until ls "$TMPDIR"/proxbench-stdin-* >/dev/null 2>&1 || ! kill -0 $! 2>/dev/null; do
    sleep 0.05
done
kill -INT $!
wait $!
echo "INT mesh [$?]"
ls -d "$TMPDIR"/proxbench-* 2>/dev/null
kill $sleeper
# Two copies of one signal, as `timeout` sends them, count as one: the table is still printed.
rm -f "$NOTE"
PATH=$PWD/bin:$PATH setsid "$proxbench" run --a a.off --b a.off --trajectory few.csv --mode smoke \
    --quantity volume --algorithm exact-tetra --no-cache --out twice --quiet >out 2>err &
while [ ! -s "$NOTE" ] && kill -0 $! 2>/dev/null; do
    sleep 0.05
done
kill -TERM $!
kill -TERM -$! 2>/dev/null
wait $!
echo "[$?]"
grep -c interrupted out
ls -d "$TMPDIR"/proxbench-* 2>/dev/null
# If both bodies are the same mesh, it is cut into tetrahedra once, even if it does not lie around
# the origin.
cat >bin/tetgen <<'END'
#!/bin/sh
echo call >>"$NOTE"
PATH=${PATH#*:} exec tetgen "$@"
END
for mesh in a.off ./a.off; do
    : >"$NOTE"
    PATH=$PWD/bin:$PATH "$proxbench" truth --a a.off --b $mesh --trajectory few.csv --quantity volume \
        --no-cache --quiet | cut -d, -f1,4-6
    wc -l <"$NOTE"
done
