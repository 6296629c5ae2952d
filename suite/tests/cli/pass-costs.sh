# Tests the costs of a pass other than time: allocations in queries, resident memory, printed bytes. Each query of
# the plug-in allocates three blocks. The manifest says in which state the workers ran.
install_to "$PWD/root"
sed 's/^    const pair \*const p = state;$/&\
    for (int i = 0; i < 3; i++) { void *volatile block = malloc(100); free(block); }/
    s/"spheres"/"asking"/' "$root/examples/plugin.c" >asking.c
grep -c 'volatile block' asking.c
cc -shared -fPIC -O2 asking.c -I"$PWD/root/include" -o libasking.so -lm
box a.off 0 0 0 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,4,0,0,0,0,0,1
1,1,3,0,0,0,0,0,1
2,2,0.5,0.25,0,0,0,0,1
3,3,2,0,0,0,0,0,1
END
"$proxbench" run --plugin ./libasking.so --a a.off --b b.off --trajectory t.csv --quantity contact \
    --algorithm 'floor,asking' --mode ci --out run --quiet >run.txt 2>&1 || cat run.txt
grep -c floor.*allocates run.txt
sed -n 's/^proxbench: .*allocates/allocates/p' run.txt
# A build with sanitizers cannot count allocations, so its column is empty. Then the expected number is printed.
none=
[ "$(basename "$(dirname "$proxbench")")" = sanitize ] && none=-
awk -F, -v none="$none" 'NR == 1 {
        for (i = 1; i <= NF; i++) at[$i] = i
        next
    }
    {
        count = $at["alloc_count"]
        if (none && count == "") count = $at["variant"] == "floor" ? 0 : 12
        printf "%s %s: %s allocations, resident %s, %s bytes printed\n", $at["variant"],
            $at["protocol"], count, ($at["rss_bytes"] > 1e6 ? "yes" : "no"), $at["output_bytes"]
    }' run/passes.csv | sort -u
grep '^workers,\(cpu\|affinity\|memory_lock\|scheduler\|aslr\|counters\),' run/manifest.csv |
    sed 's/,cpu,[0-9].*/,cpu,N/; s/,denied: .*/,ok/; s/"SCHED_.*/S/; s/aslr,o.*/aslr,on or off/
         s/,not available: .*/,ok/'
