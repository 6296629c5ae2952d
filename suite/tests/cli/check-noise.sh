# check-all: it compares times of real code
# tries: 3
# needs-command: cc
# Old code against new if equal code has different times: the gate reports that it cannot tell, and
# adds launches until the time limit is reached.
work '"floor"' 10
# build NAME WORK LUCK: WORK idle steps in each query, and a random number of further steps below
# LUCK, drawn once per process
build() {
    sed 's,<proxbench/algorithms.h>,"algorithms/algorithms.h",
        s,^#include <stdlib.h>,&\n#include <time.h>,
        s,^static void query(,static int luck(void)\n{\n    static int drawn = -1;\n    if (drawn < 0) {\n        struct timespec now;\n        clock_gettime(CLOCK_MONOTONIC\, \&now);\n        drawn = LUCK ? (int)(now.tv_nsec / 1000 * 7919 % LUCK) : 0;\n    }\n    return drawn;\n}\n\n&,
        s,^    answer->outcome = .*,&\n    for (volatile int i = 0; i < WORK + luck(); i++) {\n    },' \
        "$root/examples/plugin.c" >"$1.c"
    cc -std=gnu99 -shared -fPIC -O2 -I"$root" -DWORK="$2" -DLUCK="$3" "$1.c" -o "$1.so" -lm
}
build steady 20000 0
build lucky 20000 80000
# told NAME [OPTION...]: compares the plug-in with itself; prints the gates of time and noise
# without numbers
told() {
    name=$1
    shift
    rm -rf run
    "$proxbench" check work.cfg --plugin "$name.so" --against-plugin "$name.so" --quiet \
        --cache cache --out run --launches 6 --rounds 2 --format csv --markdown run.md "$@" \
        >rows 2>errors
    echo "[$?]"
    grep '\(time\|noise\),apart' rows | sed 's/ A.A.*;/ .../; s/[0-9][0-9.]*/N/g'
    grep -o 'cannot tell (noise' run.md
    grep limit errors
}
echo '# each process draws a new speed'
told lucky --time-limit 0
told lucky --time-limit 0 --strict
told lucky --time-limit 0 --strict --accept noise
echo '# the limit of time is reached'
told lucky --time-limit 2
awk -F, '$2 == "spheres@head" { print $5 }' run/launches.csv | sort -nu | tail -n 1 |
    awk '{ print ($1 >= 11 ? "launches were added" : "none was added: " $1) }'
grep -c '^apart,launches,' run/manifest.csv
echo '# the speed is steady'
told steady --time-limit 60 --strict --tolerance 40% | sed 's/tolerance".*/tolerance"/' | grep -v '"the same\|"within the tol\|"faster'
tell_noise rows
