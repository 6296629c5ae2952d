# Output at the end of a run: rows for scripts. The case run-winner tests the lines about times.
box a.off 0 0 0 1
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1.5,0,0,0,0,0,1\n1,1,1.25,0,0,0,0,0,1\n2,2,2,0,0,0,0,0,1\n' >t.csv
pair() {
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity distance --no-cache \
        --algorithm exact-distance,brute,floor "$@"
}
pair --mode bench --warm-only --rounds 5 --baseline brute --out timed >table 2>/dev/null
head -n 1 table
echo '# a resume prints the same rows in another format'
"$proxbench" run --resume timed --format csv 2>/dev/null >rows.csv
cmp rows.csv timed/cells.csv
echo '# without A/A no variant is the winner'
pair --mode smoke --out untimed --format json 2>errors >rows.json
echo "[$?]"
grep ^proxbench errors
echo '# all columns in their order and all rows, also with --quiet'
pair --mode smoke --out quiet --format json --quiet >again.json 2>errors; cat errors
for file in rows.json again.json; do
    sed -n 2p $file | sed 's/: "[^"]*"//g; s/: [^,}]*//g; s/[" {}]//g' >columns
    head -n 1 untimed/cells.csv | sed 's/$/,/' | cmp - columns
    echo "$(grep -c '^  {"scenario": "pair", "variant": ' $file) rows"
done
echo '# a wrong format is refused before anything is measured'
pair --mode smoke --out never --format jsno 2>&1
pair --mode smoke --out never --format markdown 2>&1
[ ! -e never ]
echo '# compare prints the same rows later'
"$proxbench" compare timed --cells | tr -s " " >again && tr -s " " <table | cmp - again
"$proxbench" compare timed --cells --format csv | cmp - timed/cells.csv
"$proxbench" compare timed --cells --format csv --algorithm brute | cut -d, -f2
run compare timed timed --cells
run compare timed --cells --for deadline=1ms
