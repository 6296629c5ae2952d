# needs-command: cc
# Old code against new in one job: other answers fail, and an invalid old program is refused.
work '"floor", "exact-distance"' 30
# build NAME WORK SCALE: bounding spheres with WORK idle steps in each query
build() {
    sed 's,<proxbench/algorithms.h>,"algorithms/algorithms.h",
        s,gap > 0 ? gap : 0,gap > 0 ? gap * SCALE : 0,
        s,^    answer->outcome = .*,&\n    for (volatile int i = 0; i < WORK; i++) {\n    },' \
        "$root/examples/plugin.c" >"$1.c"
    cc -std=c99 -shared -fPIC -O2 -I"$root" -DWORK="$2" -DSCALE="$3" "$1.c" -o "$1.so" -lm
}
build old 50 1
build same 50 1
build lies 50 '(1 - 1e-14)'
# told NEW: prints the rows of the gate without numbers
told() {
    "$proxbench" check work.cfg --plugin "$1.so" --against-plugin old.so --scenario apart \
        --quiet --cache cache --out "$1" --accept time,build,memory --launches 6 --time-limit 0 --format csv --markdown "$1.md" --junit "$1.xml" \
        >rows 2>errors
    echo "$1 [$?]"
    # Instructions are not counted on every machine.
    grep '^failed' rows | grep -v ',instructions,' | cut -d, -f1-6
    grep -q '^| apart | spheres | [0-9.]* \[[0-9., ]*\] | [0-9.]* \[' "$1.md" || echo 'no ratios'
    grep -q 'name="spheres time"' "$1.xml" || echo 'no test case'
}
told lies

echo '# the same program, against itself'
"$proxbench" check work.cfg --against "$proxbench" --algorithm exact-distance --quiet \
    --cache cache --out itself --launches 6 --rounds 1 --time-limit 0 --accept time,build,memory \
    >rows 2>errors
echo "[$?]"
awk 'NR > 1 && $2 == "time" { print $2, $3, $4 }' rows

echo '# things that are no old program'
run check work.cfg --against ./nowhere --quiet
run check work.cfg --against /bin/true --algorithm floor --quiet --cache cache --out none |
    sed 's/came to its end: .*/came to its end: WHY/'
run check work.cfg --plugin same.so --against-plugin nowhere.so --quiet
run check work.cfg --plugin same.so --against-plugin old.so --algorithm spehres --quiet
sed 's/"distance"/"volume"/' work.cfg >volume.cfg
run check volume.cfg --plugin same.so --against-plugin old.so --quiet --cache cache --out volume
run check work.cfg --against "$root/Makefile" --quiet 2>&1 | sed "s,$root,ROOT,g"

echo '# misuse'
run check work.cfg --plugin same.so
run check work.cfg --plugin a=same.so --against-plugin old.so
run check work.cfg --against x --against-plugin old.so --plugin same.so
run check work.cfg --against x --launches 5
run check work.cfg --against x --rounds 0
run check work.cfg --against x --baseline y
run check work --scenario x
run check work.cfg --against "$proxbench" --tolerance 5 2>&1 | sed "s,$proxbench,PROXBENCH,"
run check work.cfg --against "$proxbench" --scenario near 2>&1 | sed "s,$proxbench,PROXBENCH,"
run check work.cfg --against "$proxbench" --mode slow 2>&1 | sed "s,$proxbench,PROXBENCH,"

echo '# the first lines say what makes the comparison shorter, the last one that it was interrupted'
setsid "$proxbench" check work.cfg --against "$proxbench" --algorithm exact-distance --cache cache --out ended \
    --launches 200 >rows 2>errors &
until [ -e ended/manifest.csv ] || ! kill -0 $! 2>/dev/null; do
    sleep 0.05
done
kill -INT $!
wait $!
echo "[$?]"
grep -o 'each variant.*\|warning: interrupted.*' errors
