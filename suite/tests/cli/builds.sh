# check-all: it builds bodies in many launches
# Builds timed by launches: no body is kept, every launch builds, and compare prints the ratios of
# variants that differ in one thing. Times themselves are not printed here.
experiment() {
    cat >work.cfg <<EOF
name = "work"; mode = "smoke"; seed = 1; launches = $1; builds = "$2";
variants = ( { algorithm = "ist"; voxels = [8, 16]; radius = ["primary", "secondary"]; }, "brute" );
scenarios = ( { name = "apart"; a = "box"; b = "sphere:triangles=180"; quantities = "distance";
    trajectory = { kind = "sphere"; target = "distance"; lo = 0.3; hi = 0.4; frames = 3; }; } );
EOF
}
# numbers: replaces ratios and intervals by fixed words, and the blanks that align the columns
numbers() {
    sed -E 's/ {2,}/  /g; s/ +[0-9.]+ +([0-9.e-]+)\.\.([0-9.e-]+) +([0-9]+)$/ RATIO LO..HI \3/; s/ +[0-9.]+ +- +([0-9]+)$/ RATIO - \1/'
}
# field FILE COLUMN...: prints these columns, separated by "|"; a comma within quotes becomes ";"
field() {
    file=$1
    shift
    awk -F'"' -v OFS= '{ for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); print }' "$file" |
        awk -F, -v wanted="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, names, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[names[i]], i < n ? "|" : "\n" }'
}
experiment 6 timed
"$proxbench" run work.cfg --quiet --cache cache --out six >/dev/null 2>log || cat log
ls -d cache/bodies 2>&1
grep '^run,builds' six/manifest.csv

echo '# every launch builds, and records what it has built'
field six/build_launches.csv variant body role launch | sort | uniq | wc -l
field six/build_launches.csv variant parameters | sort -u | grep -v ist:
field six/build_launches.csv parameters | tr ';' '\n' | grep '^radius\|^voxels' | sort -u
field six/builds.csv load_ns missing_voxels_count excess_voxels_count | sort -u

"$proxbench" compare six >six.table
echo '# builds.csv compares two variants that differ in one parameter or in the algorithm'
field six/build_ratios.csv variant other parameter measure launches |
    grep 'build_ns\|stage_tree_ns' | sort -u
field six/build_ratios.csv ratio lo hi |
    awk -F'|' '!($1 > 0 && $2 > 0 && $2 <= $1 && $1 <= $3) { print "no interval: " $0 }'
field six/build_ratios.csv variant body triangles_count voxels_count | sort -u
awk '/^Builds/ { found = 1 } found' six.table | numbers
"$proxbench" compare six --format csv | head -n 1
"$proxbench" compare six --format markdown --algorithm 'ist:voxels*' | awk '/^### Builds/ { found = 1 } found' |
    cut -d '|' -f 2-6

echo '# with fewer launches there is a ratio without an interval'
experiment 2 timed
"$proxbench" run work.cfg --quiet --cache cache --out two >/dev/null 2>log || cat log
"$proxbench" compare two | awk '/^Builds/ { found = 1 } found' | numbers | sed -n '2,3p'
field two/build_ratios.csv lo hi | sort -u

echo '# of saved bodies only the launch that built them is recorded, and nothing is printed'
experiment 3 kept
"$proxbench" run work.cfg --quiet --cache cache --out kept >/dev/null 2>log || cat log
field kept/build_launches.csv variant role launch | grep '^ist' | sort
"$proxbench" compare kept | grep -c Builds
experiment 3 often
run run work.cfg --quiet --out none
