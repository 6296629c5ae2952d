# A pair of own bodies: results, errors computed by hand, and equal answers of two runs.
box a.off 0 0 0 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,2,0,0,0,0,0,1
1,0.001,3,3,0.5,0,0,0,1
2,0.002,0.5,0,0,0,0,0,1
END
go() {
    out=$1
    shift
    run run --a a.off --b b.off --trajectory t.csv --mode ci --quiet --cache cache --out "$out" "$@" |
        sed -E 's/ +[0-9.]+ (ns|us|ms|s)\b/ TIME/g' | tr -s ' '
}
# Prints frames without the columns of times.
answers() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /^time_/ }
        { line = ""; for (i = 1; i <= NF; i++) if (keep[i]) line = line "," $i; print substr(line, 2) }' "$1"
}
go one --quantity distance --algorithm brute,floor
answers one/pair/brute.csv
echo '# counters are columns of cells.csv, too: means per frame, empty if the variant has none'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i ~ /^variant$|_count_mean$/ }
    { line = ""; for (i = 1; i <= NF; i++) if (keep[i]) line = line "," $i; print substr(line, 2) }' \
    one/cells.csv
go two --quantity distance --algorithm 'bru*,floor'
answers two/pair/brute.csv >two.csv
answers one/pair/brute.csv | cmp - two.csv && echo 'the same answers twice'
go three --quantity volume --algorithm 'ist:radius=primary,voxels=32,ist:voxels=32'
ls three three/pair
go one --quantity distance --algorithm brute
go four --quantity distance --algorithm brutal
go five --quantity distance --algorithm 'x*'
go six --algorithm brute
echo '# the tolerance is that of the experiment bench or of --tolerance, the same in all files'
limits() {
    out=$1
    shift
    go "$out" --quantity volume --algorithm ist:voxels=32 "$@" >/dev/null
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["tolerance"] }' "$out/cells.csv"
    "$proxbench" compare "$out" >/dev/null
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["tolerance"]; exit }' "$out/pareto.csv"
}
limits seven
limits eight --tolerance volume_error_size=0.25
go nine --quantity volume --algorithm ist:voxels=32 --tolerance volume_eror=1
run run smoke --tolerance volume_error_rel=1
