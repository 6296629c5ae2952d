# check-all: valgrind is slow
# needs-command: cc
# needs-command: valgrind
# Old code against new by the number of instructions that valgrind counts: it is exact, whatever the
# load of the machine.
work '"floor", "brute"' 10
# build NAME WORK: bounding spheres with WORK idle steps in each query
build() {
    sed 's,<proxbench/algorithms.h>,"algorithms/algorithms.h",
        s,^    answer->outcome = .*,&\n    for (volatile int i = 0; i < WORK; i++) {\n    },' \
        "$root/examples/plugin.c" >"$1.c"
    cc -std=c99 -shared -fPIC -O2 -I"$root" -DWORK="$2" "$1.c" -o "$1.so" -lm
}
build old 10000
build same 10000
build little 10090
build more 10200
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
# told NEW: prints the failures of the gate of instructions
told() {
    rm -rf run
    "$proxbench" check work.cfg --plugin "$1.so" --against-plugin old.so --instructions --quiet \
        --accept time --cache cache --out run --launches 6 --rounds 1 --time-limit 0 --format csv \
        >rows 2>errors
    echo "$1 [$?]"
    sed -n 's/, by valgrind//; s/,[0-9.]*,[0-9.]*,"*\(1.9[0-9]*\|2.0[0-9]*\) %/,N,N,2 %/; /^failed,instr/p' rows
    grep -v 'check of' errors
}
told same
told little
told more

echo '# the same program against itself agrees within one part in a thousand'
"$proxbench" check work.cfg --against "$proxbench" --algorithm brute --instructions --accept time \
    --quiet --cache cache --out itself --launches 6 --rounds 1 --time-limit 0 --format csv \
    >rows 2>errors
echo "[$?]"
run=itself/instructions
[ -f $run/cells.csv ] || run=itself
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n[$at["variant"]] = $at["instructions_mean_count"] }
    END { d = n["brute@head"] / n["brute@base"] - 1
          print (n["brute@base"] > 1000 && d < 1e-3 && d > -1e-3 ? "equal" : "not equal: " d) }' \
    $run/cells.csv
ls tmp

echo '# without valgrind'
mkdir empty
PATH=$PWD/empty run check work.cfg --plugin same.so --against-plugin old.so --instructions --quiet
