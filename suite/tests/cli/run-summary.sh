# What a run says at its end: rows for scripts, and who won.
box a.off 0 0 0 1
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1.5,0,0,0,0,0,1\n1,1,1.25,0,0,0,0,0,1\n2,2,2,0,0,0,0,0,1\n' >t.csv
pair() {
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity distance --no-cache \
        --algorithm exact-distance,brute,floor "$@"
}
# numbers: the machine's times are not the case's
numbers() {
    sed -E 's/[0-9.]+ times/N times/; s/A\/A [0-9.]+\.\.[0-9.]+/A\/A N..N/'
}
echo '# who is the fastest, by how much, and how sure it is'
pair --mode bench --warm-only --rounds 5 --baseline brute --out timed 2>&1 >table | grep ^proxbench |
    numbers
head -n 1 table
echo '# resumed: the same, in another form'
"$proxbench" run --resume timed --format csv 2>errors >rows.csv
grep ^proxbench errors | numbers
cmp rows.csv timed/cells.csv
echo '# without A/A nobody is'
pair --mode smoke --out untimed --format json 2>errors >rows.json
echo "[$?]"
grep ^proxbench errors
echo '# all columns in their order, as many rows, quiet'
pair --mode smoke --out quiet --format json --quiet >again.json 2>errors; cat errors
for file in rows.json again.json; do
    sed -n 2p $file | sed 's/: "[^"]*"//g; s/: [^,}]*//g; s/[" {}]//g' >columns
    head -n 1 untimed/cells.csv | sed 's/$/,/' | cmp - columns
    echo "$(grep -c '^  {"scenario": "pair", "variant": ' $file) rows"
done
echo '# asked before anything is measured'
pair --mode smoke --out never --format jsno 2>&1
pair --mode smoke --out never --format markdown 2>&1
[ ! -e never ]
echo '# the rows once more, later'
"$proxbench" compare timed --cells | tr -s " " >again && tr -s " " <table | cmp - again
"$proxbench" compare timed --cells --format csv | cmp - timed/cells.csv
"$proxbench" compare timed --cells --format csv --algorithm brute | cut -d, -f2
run compare timed timed --cells
run compare timed --cells --for deadline=1ms
