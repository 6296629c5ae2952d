# check-all: it builds bodies many times
# The first run builds the bodies and saves them. Later runs and replays load the saved bodies, and
# give the same answers as the first run.
cat >small.cfg <<'END'
name = "small";
mode = "ci";
variants = ( "ist:voxels=16", "ist:radius=primary,voxels=16", "ist:radius=centroid,voxels=16", "brute" );
scenarios = (
  { name = "near"; a = "torus:triangles=200"; b = "sphere:triangles=80"; quantities = "distance";
    trajectory = { kind = "sphere"; target = "distance"; lo = 0.01; hi = 0.2; frames = 8; }; },
  { name = "back"; a = "sphere:triangles=80"; b = "torus:triangles=200"; quantities = "volume";
    trajectory = { kind = "sphere"; target = "volume"; lo = 0.1; hi = 0.4; frames = 8; }; }
);
END
# go FOLDER ARGUMENT...: runs the experiment with these arguments
go() {
    out=$1
    shift
    "$proxbench" run small.cfg --quiet --out "$out" "$@" >"$out.table" 2>"$out.errors" || echo "[$?]"
}
# field FILE COLUMN...: prints these columns, separated by "|", empty fields as "-"
field() {
    file=$1
    shift
    awk -F, -v wanted="$*" '
        { gsub(/"[^"]*"/, "quoted") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, names, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[names[i]] == "" ? "-" : $at[names[i]], i < n ? "|" : "\n" }' "$file"
}
kept() { ls cache/bodies | wc -l; }
echo '# the first run builds the bodies and answers with the copies that it has loaded; brute is not saved'
go one --cache cache
kept
field one/builds.csv variant role status load_ns | sed 's/|[0-9][0-9]*$/|loaded/'
echo '# a query chooses the radius: radius=primary shares the saved bodies, centroid does not'
field one/builds.csv role build_ns | awk -F'|' '
    { i = (NR - 1) % 8 }
    i < 2 { ns[i] = $2 }
    i >= 2 && i < 6 { print (i < 4 ? "primary " : "centroid ") $1 ": " ($2 == ns[i % 2] ? "the same build" : "another") }'
echo '# the second run builds nothing: its times are those of the first build'
go two --cache cache
kept
field one/builds.csv variant body_hash role build_ns | grep '^[^b]' >one.builds
field two/builds.csv variant body_hash role build_ns | grep '^[^b]' | cmp - one.builds && echo 'same'
echo '# without a cache all bodies are built, and none is saved'
go none --no-cache
field none/builds.csv load_ns | sort -u
ls -d groundtruth 2>&1 | sed 's/.*: //'
echo '# each damaged file is named, and its body is built again'
for file in cache/bodies/*; do
    printf 'XXXX' | dd of="$file" bs=1 seek=300 conv=notrunc 2>/dev/null
done
go damaged --cache cache
sed "s/'cache[^']*'/FILE/; s/'ist:[^']*'/VARIANT/" damaged.errors | grep -v 'results are in' | sort | uniq -c |
    sed 's/^ *//'
go repaired --cache cache
grep -c warning repaired.errors
echo '# all runs have the same answers'
for run in one two none damaged repaired; do field $run/cells.csv scenario variant status answers_hash >$run.answers; done
for run in two none damaged repaired; do cmp one.answers $run.answers && echo "$run: same"; done
echo '# a replay has the same answers'
"$proxbench" replay one --scenario back --variant ist:voxels=16 --frame 7 --cache cache | grep '^compared'
kept
"$proxbench" replay one --scenario near --variant ist:voxels=16 --frame 7 --no-cache | grep '^compared'
ls -d groundtruth 2>&1 | sed 's/.*: //'
echo '# in a comparison of old and new code, each builds its own bodies'
cp -r cache before
"$proxbench" check small.cfg --against "$proxbench" --algorithm ist:voxels=16 --scenario near --cache cache --quiet \
    --launches 6 --rounds 1 --time-limit 0 --out against >/dev/null 2>&1
field against/cells.csv load_ns | sort -u
