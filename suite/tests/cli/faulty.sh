# check-all: waits for contestants that hang, in 30 s
# Every known-bad contestant is detected by name, with the right status or column, and no other
# contestant is affected.
hang_limit 10 quarantine_size_mb=1
cp "$root/scenarios/experiments/faulty.cfg" .
# go FOLDER ARGUMENT...: runs the experiment with these arguments
go() {
    out=$1
    shift
    "$proxbench" run faulty.cfg --quiet --cache cache --timeout $limit --memory 0.5 --out "$out" "$@" \
        >"$out.table" 2>"$out.errors"
    echo "[$?]"
}
# cells FOLDER COLUMN...: prints these columns of cells.csv
cells() {
    file=$1/cells.csv
    shift
    csv_columns "$file" "$@"
}
# tell COLUMN CONDITION: prints the contestants whose column x satisfies the condition; "-" is
# ignored
tell() {
    printf '%s %s:' "$1" "$2"
    cells all scenario variant status "$1" | sed -n 's/^approach|//p' | awk -F'|' "\$2 == \"ok\" && \$3 != \"-\" { x = \$3 + 0
        if (\$3 == \"no such column\") print \$3; else if ($2) printf \" %s\", \$1 }"
    echo
}
echo '# all known-bad contestants'
go all
cells all scenario variant status detail | sed -n 's/^approach|//p' | sed "s/within $limit s/within LIMIT s/" |
    if [ "$config" = sanitize ]; then
        # A sanitizer build cannot limit the memory of a process.
        sed 's/\(fault=out-of-memory\)|.*/\1|oom|faulty was refused more memory/'
    else
        cat
    fi
echo '# columns show the fault of contestants with status ok'
if [ "$config" = sanitize ]; then
    echo 'alloc_count x > 0: faulty:fault=allocating faulty:fault=leaking' # not counted there
else
    tell alloc_count 'x > 0'
fi
tell rss_growth_bytes 'x > 2e6'
tell output_bytes 'x > 0'
tell contact_off_size_max 'x > 1'
tell contact_normal_deg_p50 'x > 90'
grep -c '^faulty,' all.table all.errors
grep -m 2 'faulty,' all.errors
echo '# depth, force and pairs of triangles, of boxes along the axes'
cells all scenario variant status detail | grep -v '^approach'
cells all scenario variant depth_error_rel_max depth_left_rel_max depth_worse_rel_max | grep '^depth.*reversed'
grep 'of the overlap is left' all.table
echo '# no process is left behind'
for process in /proc/[0-9]*; do
    [ "$(readlink "$process/cwd")" != "$PWD" ] || tr '\0' ' ' <"$process/cmdline"
done 2>/dev/null | grep -c 'proxbench [w]orker'
echo '# the good contestants have the same answers as without the others'
go good --algorithm floor,brute,faulty
cells good variant status answers_hash >expected
cells all variant status answers_hash | grep -E '^(floor|brute|faulty)\|' | cmp - expected && cut -d'|' -f1,2 expected
echo '# a glob selects no known-bad contestant, unless an experiment names it'
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,0.2,0,0,0,0,0,1\n' >t.csv
run run --a box --b box --trajectory t.csv --quantity distance --algorithm 'fault*'
echo '# list explains each contestant'
"$proxbench" list algorithms faulty | grep -c '^faulty:fault=[a-z0-9-]*  *[a-z]'
