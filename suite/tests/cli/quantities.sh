# needs-command: cc gnuplot
# An unknown family that answers all quantities appears in every output.
mkdir -p include/proxbench/geometry
cp "$root/algorithms/algorithms.h" include/proxbench
cp "$root/geometry/types.h" include/proxbench/geometry
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -O2 -Iinclude "$root/examples/aabb.c" \
    -o libaabb.so -lm
box a.off 0 0 0 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,3,0,0,0,0,0,1
1,1,0.75,0.25,0.125,0,0,0,1
2,2,-0.5,0.25,0.125,0,0,0,1
END

echo '# a query'
ask() {
    "$proxbench" query --plugin libaabb.so --algorithm aabb --a a.off --b b.off --quantity contact "$@"
    echo "[$?]"
}
ask --pose 0.75,0.25,0.125,0,0,0,1 --contacts 2 --pairs 1 --regions 3 --stages |
    sed 's/^\(stage_.*\),[0-9]*$/\1,T/'
ask --pose 3,0,0,0,0,0,1 --contacts 2 --pairs 1 --regions 3 | grep -c found_count,0
ask --pose 3,0,0,0,0,0,1 --pairs 20000000 2>&1
run query --algorithm brute --a a.off --b b.off --pose 3,0,0,0,0,0,1 --regions 3 --stages |
    grep -v '^[a-z_]*,'

echo '# a run makes one more pass after the timed ones'
# go FOLDER ARGUMENT...: makes a run with these arguments
go() {
    out=$1
    shift
    "$proxbench" run --plugin libaabb.so --a a.off --b b.off --trajectory t.csv --quantity contact \
        --algorithm 'aabb,brute' --mode ci --quiet --cache cache --out "$out" "$@" >"$out.table" 2>&1
    echo "[$?]"
}
go run
sed -E 's/( +[0-9.]+ [num]?s)+ / T /g; s/ +/ /g' run.table
(cd run/pair && echo *)
cat run/pair/aabb.regions.csv
sed -n 1p run/pair/aabb.csv | tr , '\n' | grep stage
# Stages lie within the query: their sum is the end of the last stage.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
    { for (name in place) if (name ~ /^stage_/ && $place[name] !~ /^[0-9]+$/) print "no time of", name }' \
    run/pair/aabb.csv
echo '# a resume makes this pass only if it has not been recorded'
cp -r run cut
size=$(wc -c <cut/pair/aabb.passes)
dd if=run/pair/aabb.passes of=cut/pair/aabb.passes bs=1 count=$((size - 1)) 2>errors || cat errors
rm cut/pair/aabb.regions.csv
for again in 1 2; do # the second has nothing to do
    "$proxbench" run --resume cut --quiet >resumed 2>&1 || cat resumed
done
cmp run/pair/aabb.regions.csv cut/pair/aabb.regions.csv
[ "$(wc -c <cut/pair/aabb.passes)" -eq "$size" ] || echo 'the record has another size'
cmp run/pair/brute.passes cut/pair/brute.passes

echo '# each promised quantity is asked, stored, compared, gated and drawn'
for quantity in distance volume contact depth force; do
    "$proxbench" run --plugin libaabb.so --a a.off --b b.off --trajectory t.csv --quiet --mode ci \
        --quantity $quantity --algorithm aabb --cache cache --out $quantity >log 2>&1 || cat log
    grep -c ",aabb,$quantity,ok," $quantity/cells.csv
    "$proxbench" compare $quantity >compared 2>&1 || cat compared
    grep -q aabb compared || echo "compare does not know aabb's $quantity"
    "$proxbench" check --bless $quantity --baseline ./$quantity.csv >blessed 2>&1 || cat blessed
    grep -q aabb $quantity.csv || echo "nothing of its $quantity is blessed"
    "$proxbench" check $quantity --baseline ./$quantity.csv >checked 2>&1 || cat checked
done
echo '# a run of depth judges the windows, too'
cat depth/pair/aabb.regions.csv
for quantity in distance volume contact depth force; do
    "$proxbench" plot $quantity --format svg >drawn 2>&1 || cat drawn
    grep -q drawn drawn || echo "nothing of its $quantity is drawn"
done
