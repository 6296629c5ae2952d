# check-all: it runs all families on several quantities
# Several quantities of a pair of own bodies: one scenario each, with the variants that answer it.
box a.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,2,0,0.1,0,0,0,1
1,0.001,0.5,0.3,0.2,0,0,0,1
END
go() {
    out=$1
    shift
    run run --a a.off --b a.off --trajectory t.csv --mode ci --quiet --cache cache --out "$out" "$@" |
        sed -E 's/ +[0-9.]+ (ns|us|ms|s)\b/ TIME/g' | tr -s ' '
}
go several --quantity distance,contact,volume+force --algorithm 'floor,bru*,exact-*'
ls several/pair
go one --quantity volume+force --algorithm 'exact-*'
ls one
echo '# invalid input'
go none --quantity volume --algorithm brute
go none --quantity distance,force --algorithm brute
go none --quantity volume,force --algorithm 'brute,exact-volume'
go none --quantity volume+depth+force
go none --quantity volume --algorithm 'bru*'
go none --quantity distance,unified,volume+distance --algorithm floor
go none --quantity distance,dist --algorithm floor
go none --quantity ''
echo '# a glob leaves out variants that take seconds per frame, a name does not'
large() {
    "$proxbench" run --a torus:triangles=800 --b sphere:triangles=320 --trajectory t.csv --mode smoke --quiet \
        --quantity distance --cache cache --out large "$@" 2>&1 | awk '{ print $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 }' |
        grep -v '^pair\|^scenario'
    cut -d, -f2 large/cells.csv
    rm -r large
}
large --algorithm 'brut[e],exact-distance'
large --algorithm 'brute'
echo '# too few launches for an interval are refused before anything is measured'
few() {
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quiet --cache cache --out few \
        --quantity distance --mode bench "$@" 2>&1
    echo "[$?]"
}
few --launches 7 --algorithm 'brute,exact-distance,exact-distance:start=last,ist:voxels=8,floor'
few --launches 5 --algorithm brute,exact-distance
few --launches 1 --warm-only --rounds 1 --algorithm brute | grep -o '^pair.* brute'
ls few/cells.csv
cat >few.cfg <<'END'
name = "few"; mode = "bench"; launches = 5;
variants = ("floor", "exact-distance", { algorithm = "brute"; triangle_limit = 20; });
scenarios = ({ name = "s"; a = "a.off"; b = "a.off"; quantities = "distance"; trajectory = "t.csv"; },
    { name = "t"; a = "box"; b = "sphere:triangles=80"; quantities = "distance"; trajectory = "t.csv"; });
END
run run few.cfg --quiet --cache cache --out few2
run run few.cfg --quiet --cache cache --out few2 --launches 6 --scenario s | awk '/^s / { print $1, $3; next } !/^scenario/'
run run few.cfg --quiet --cache cache --out few2 --launches 5 --scenario t
ls -d few2 2>/dev/null
echo '# the baseline is an exact method unless one is named; else the first variant that answers, with a note'
base() {
    "$proxbench" run --a a.off --b a.off --trajectory t.csv --quiet --cache cache --warm-only --rounds 1 \
        --mode bench --launches 6 --out base "$@" 2>&1 >/dev/null | grep baseline
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["scenario"], $at["baseline"] }' \
        base/cells.csv | sort -u
    rm -r base
}
base --quantity distance --algorithm brute,exact-distance
base --quantity distance --algorithm brute,exact-distance --baseline brute
base --quantity distance --algorithm 'brute,ist:voxels=8'
