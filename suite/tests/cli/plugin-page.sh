# check-all: it compiles the examples of a page
# needs-command: pkg-config
# The page that explains how to add an algorithm to the table, word by word: its program, its
# commands, and the table that it shows.
page=$root/algorithms/README.md
HOME=$PWD/home
export HOME
mkdir home
install_to "$HOME/.local"
# blocks LANGUAGE [PART]: prints the fences of that language in a part of the page, by default in
# that about ten minutes.
blocks() {
    awk -v fence="^\`\`\`$1\$" -v part="${2-ten minutes}" '/^## /{ inside = $0 ~ part } /^### /{ inside = 0 }
        /^```/ && open { open = 0; next } inside && $0 ~ fence { open = 1; next }
        /^```/ { open = 2; next } open == 1' "$page"
}
mkdir -p home/mine
blocks c >home/mine/mine.c
blocks sh | sed '/^make /d' >commands.sh
blocks '' >shown.txt
grep -c . commands.sh
sh -e commands.sh >printed.txt 2>errors.txt || cat errors.txt
# Removes times, which depend on the machine.
plain() {
    sed -E 's/ +[0-9.]+ [num]?s / T /g; s/ +/ /g' "$@"
}
grep '^mine ' printed.txt | plain
plain shown.txt >shown
grep -E '^(scenario|pair) ' printed.txt | plain | diff shown - && cat shown

echo '# the promise that the page breaks is named'
cd home/mine || exit 1
sed 's/ALG_UPPER_BOUND/ALG_LOWER_BOUND/' mine.c >lie.c
cc -shared -fPIC -O2 -I"$HOME/.local/include" lie.c -o liblie.so -lm
run run --plugin liblie.so --a a.off --b b.off --trajectory t.csv --quantity distance \
    --algorithm mine --mode smoke --quiet --out lie | plain
grep -o 'the status is `[^`]*`' "$page"

echo '# depth and force of the page, at the position of the page'
blocks c 'A depth' >more.c
awk 'FNR == NR { more = more $0 "\n"; next } /^\/\* One frame/ { printf "%s\n", more }
    /return quantity == ALG_DISTANCE/ { print "    if (quantity == ALG_DEPTH) return ALG_UPPER_BOUND;"
        print "    if (quantity == ALG_FORCE) return ALG_APPROXIMATE;" }
    { print }
    /answered = ALG_HAS_DISTANCE/ { print "    answer_depth(p, pose, answer);\n    answer_force(p, pose, answer);" }
    /\.source = / { print "    .force_unit = \"N\"," }' more.c mine.c >pushing.c
cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -O2 -I"$HOME/.local/include" pushing.c -o libpushing.so -lm
box cube.off 0 0 0 1
run query --plugin libpushing.so --algorithm mine --quantity depth --a cube.off --b cube.off \
    --pose 0,0,0.75,0,0,0,1
