# check-all: it says which of two variants is faster
# tries: 3
# Output at the end of a run about the fastest variant.
box a.off 0 0 0 1
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1.5,0,0,0,0,0,1\n1,1,1.25,0,0,0,0,0,1\n2,2,2,0,0,0,0,0,1\n' >t.csv
pair() {
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity distance --no-cache \
        --algorithm exact-distance,brute,floor "$@"
}
# numbers: replaces times, which depend on the machine
numbers() {
    sed -E 's/[0-9.]+ times/N times/; s/A\/A [0-9.]+\.\.[0-9.]+/A\/A N..N/'
}
echo '# the fastest variant, its ratio and its interval'
pair --mode bench --warm-only --rounds 5 --baseline brute --out timed 2>&1 >table | grep ^proxbench |
    numbers
head -n 1 table
echo '# a resume prints the same in another format'
"$proxbench" run --resume timed --format csv 2>errors >rows.csv
grep ^proxbench errors | numbers
