# check-all: it compares times of real code
# tries: 3
# needs-command: cc
# Old code against new in one job: a slower library fails and is named; an equal one passes.
work '"floor", "exact-distance"' 30
# build NAME WORK SCALE: bounding spheres with WORK idle steps in each query
build() {
    sed 's,<proxbench/algorithms.h>,"algorithms/algorithms.h",
        s,gap > 0 ? gap : 0,gap > 0 ? gap * SCALE : 0,
        s,^    answer->outcome = .*,&\n    for (volatile int i = 0; i < WORK; i++) {\n    },' \
        "$root/examples/plugin.c" >"$1.c"
    cc -std=c99 -shared -fPIC -O2 -I"$root" -DWORK="$2" -DSCALE="$3" "$1.c" -o "$1.so" -lm
}
build old 50000 1
build same 50000 1
build slow 200000 1
# told NEW: prints the rows of the gate without numbers
told() {
    "$proxbench" check work.cfg --plugin "$1.so" --against-plugin old.so --scenario apart \
        --quiet --cache cache --out "$1" --time-limit 30 --format csv --markdown "$1.md" --junit "$1.xml" \
        >rows 2>errors
    echo "$1 [$?]"
    # Instructions are not counted on every machine.
    cat rows >>all.rows
    grep '^failed' rows | grep -v ',instructions,' | cut -d, -f1-6
    grep -q '^| apart | spheres | [0-9.]* \[[0-9., ]*\] | [0-9.]* \[' "$1.md" || echo 'no ratios'
    grep -q 'name="spheres time"' "$1.xml" || echo 'no test case'
}
told same
told slow
ls slow/again/passes.csv
grep '^| apart' slow.md | sed 's/[0-9][0-9.]*/N/g'
tell_noise all.rows
