# needs-command: pkg-config
# The page that brings somebody's algorithm into the table, word by word: its program, its commands,
# and the table that it shows.
page=$root/algorithms/README.md
HOME=$PWD/home
export HOME
mkdir home
install_to "$HOME/.local"
# blocks LANGUAGE: what stands in fences of that kind in the part about ten minutes.
blocks() {
    awk -v fence="^\`\`\`$1\$" '/^## /{ inside = /ten minutes/ } /^### /{ inside = 0 }
        /^```/ && open { open = 0; next } inside && $0 ~ fence { open = 1; next }
        /^```/ { open = 2; next } open == 1' "$page"
}
mkdir -p home/mine
blocks c >home/mine/mine.c
blocks sh | sed '/^make /d' >commands.sh
blocks '' >shown.txt
grep -c . commands.sh
sh -e commands.sh >printed.txt 2>errors.txt || cat errors.txt
# Times are a machine's own.
plain() {
    sed -E 's/ +[0-9.]+ [num]?s / T /g; s/ +/ /g' "$@"
}
grep '^mine ' printed.txt | plain
plain shown.txt >shown
grep -E '^(scenario|pair) ' printed.txt | plain | diff shown - && cat shown

echo '# the promise that the page breaks'
cd home/mine || exit 1
sed 's/ALG_UPPER_BOUND/ALG_LOWER_BOUND/' mine.c >lie.c
cc -shared -fPIC -O2 -I"$HOME/.local/include" lie.c -o liblie.so -lm
run run --plugin liblie.so --a a.off --b b.off --trajectory t.csv --quantity distance \
    --algorithm mine --mode smoke --quiet --out lie | plain
grep -o 'the status is `[^`]*`' "$page"
