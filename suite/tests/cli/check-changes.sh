# check-all: it compares times of real code
# tries: 3
# needs-command: cc
# Old code against new: improvements pass, regressions fail their gate, and each gate can be
# accepted.
work '"floor"' 30
# build NAME PROMISE WORK COUNT ANSWER: the gap between bounding spheres, with WORK idle steps in
# each query. It reports COUNT steps, and its answer is computed from the gap by ANSWER.
build() {
    sed 's,<proxbench/algorithms.h>,"algorithms/algorithms.h",
        s,ALG_LOWER_BOUND,PROMISE,
        s,gap > 0 ? gap : 0,ANSWER,
        s,^    answer->outcome = .*,&\n    for (volatile int i = 0; i < WORK; i++) {\n    }\n    answer->counters[0] = COUNT;,
        s,^static const alg_algorithm spheres,static const char *const counters[] = {"steps_count"\, NULL};\n&,
        s,^    .tolerance_ulp = .*,    .counters = counters\,,' \
        "$root/examples/plugin.c" >"$1.c"
    cc -std=c99 -shared -fPIC -O2 -I"$root" -DPROMISE="$2" -DWORK="$3" -DCOUNT="$4" -DANSWER="$5" \
        "$1.c" -o "$1.so" -lm
}
# told OLD NEW [OPTION...]: prints the rows of the gate without times, and the accepted gates
told() {
    old=$1 new=$2
    shift 2
    rm -rf run
    echo "\$ $old, $new${1+, }$*"
    "$proxbench" check work.cfg --plugin "$new.so" --against-plugin "$old.so" --quiet \
        --cache cache --out run --format csv --launches 6 --time-limit 0 "$@" >rows 2>errors
    echo "[$?]"
    grep -v '^result\|,instructions,\|,time,\|,build,\|,memory,' rows | cut -d, -f1-2,5-
    sed -n 's/.*\(; accepted: .*\)/\1/p' errors
    cp rows "$new.rows"
    cat rows >>all.rows
}
build old ALG_LOWER_BOUND 100000 512 gap
build fast ALG_LOWER_BOUND 50000 256 gap
build slow ALG_LOWER_BOUND 200000 512 gap
build more ALG_LOWER_BOUND 100000 513 gap
build ulp ALG_LOWER_BOUND 100000 512 'nextafter(gap, 1)'
build rough ALG_APPROXIMATE 100000 512 gap
build nearer ALG_APPROXIMATE 100000 512 'gap + 1e-3'
build farther ALG_APPROXIMATE 100000 512 'gap - 1e-3'
build rounded ALG_APPROXIMATE 100000 512 'nextafter(gap, 0)'

echo '# half the work'
told old fast
grep -c ',time,.*faster' fast.rows
echo '# twice the work and the same counters'
told old slow
grep -c '^failed,time' slow.rows
told old slow --accept time,instructions
echo '# one counter is larger by one'
told old more --accept time
told old more --accept time,counters
echo '# an answer differs in its last digit'
told old ulp --accept time | sed 's/about [0-9.e-]* in both/about X in both/'
told old ulp --accept time,answers | grep '^\[\|^;'
echo '# an approximate answer differs'
numbers='s/mean [0-9.]*/mean X/g; s/max [0-9.]*/max Y/g
    s/old [0-9.e-]*, new [0-9.e-]*/old X, new Y/; s/[0-9.]* off ([0-9.]* %)/X off (Y %)/'
told rough nearer --accept time | sed "$numbers"
told rough farther --accept time | sed "$numbers"
told rough rounded --accept time | grep '^\[\|error: mean' | sed "$numbers"
told rough rounded --accept time --same | grep '^\[\|more frames'
tell_noise all.rows
echo '# misuse'
run check work.cfg --plugin fast.so --against-plugin old.so --accept anwsers --quiet
run check --bless run --accept time
run check run --strict
run check run --instructions
run check work.cfg --plugin fast.so --against-plugin old.so --time-limit -1
