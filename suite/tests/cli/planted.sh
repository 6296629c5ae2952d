# Somebody else's results are data: a name in them that could not have been written, or a link, refuses
# the folder with one line, status 3, and nothing outside of it is read or written.
box a.off 0 0 0 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,2,0,0,0,0,0,1
1,1,3,0,0,0,0,0,1
END
"$proxbench" run --a a.off --b b.off --trajectory t.csv --quantity distance --algorithm brute,floor --mode smoke \
    --quiet --cache cache --out good >/dev/null 2>log || cat log
"$proxbench" check --bless good --baseline baseline.csv 2>/dev/null
"$proxbench" compare good >/dev/null

# refused WHAT ARGUMENT...: one line that names no more than it has to, status 3, no file made
refused() {
    what=$1
    shift
    timeout 600 "$proxbench" "$@" >output 2>&1
    status=$?
    [ $status = 3 ] && [ "$(wc -l <output)" = 1 ] && grep -q '^proxbench: error: ' output && [ ! -e /tmp/owned-$$ ] ||
        { echo "$what: $* ends with $status"; cat output; }
    cases=$((${cases-0} + 1))
}
# plant COLUMN TEXT <IN >OUT: TEXT, as a field of a CSV file, in that column of its first row
plant() {
    awk -v column="$1" -v text="$2" -v q='"' 'BEGIN { FS = OFS = "," }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        NR == 2 { gsub(q, q q, text); $at = q text q }
        { print }'
}

echo '# names'
for text in "x'; system('touch /tmp/owned-$$'); y='" 'a"b' "\`touch /tmp/owned-$$\`" "\$(touch /tmp/owned-$$)" \
    'a\nb' '../good/pair' '/etc/passwd' 'a|b' '<b>'; do
    for place in cells.csv:scenario cells.csv:variant cells.csv:quantity cells.csv:status cells.csv:baseline \
        cells.csv:file launches.csv:scenario launches.csv:variant launches.csv:baseline launches.csv:protocol \
        launches.csv:file manifest.csv:section manifest.csv:key baseline:scenario baseline:variant \
        baseline:status baseline:quantity; do
        file=${place%:*} column=${place#*:}
        rm -rf bad
        cp -r good bad
        if [ "$file" = baseline ]; then
            plant "$column" "$text" <baseline.csv >bad.csv
            refused "$place '$text'" check bad --baseline bad.csv --junit bad.xml --markdown bad.md
            continue
        fi
        plant "$column" "$text" <"good/$file" >"bad/$file"
        case $file in
        cells.csv) commands='compare check replay' ;;
        launches.csv) commands=compare ;;
        manifest.csv) commands='check replay run compare2' ;;
        esac
        for command in $commands; do
            case $command in
            compare) refused "$place '$text'" compare bad ;;
            compare2) refused "$place '$text'" compare good bad ;;
            check) refused "$place '$text'" check bad --baseline baseline.csv --junit bad.xml --markdown bad.md ;;
            replay) refused "$place '$text'" replay bad --scenario pair --variant brute --frame 0 ;;
            run) refused "$place '$text'" run --resume bad --quiet ;;
            esac
        done
    done
    # the experiment's name is a part of the baseline's path
    sed "s|^run,experiment,.*|run,experiment,$(printf %s "$text" | sed 's/"/""/g; s/[\\&|]/\\&/g; s/.*/"&"/')|" \
        good/manifest.csv >bad/manifest.csv
    cp good/cells.csv bad/cells.csv
    refused "experiment '$text'" check bad
    refused "experiment '$text'" check --bless bad
done
ls bad.xml bad.md 2>/dev/null
echo "$cases refused"

echo '# links, to files and to a pipe: whoever opened it would wait for ever'
mkdir outside
cp good/pair/brute.passes good/pair/brute.csv good/trajectories/pair.csv good/*.csv outside
echo 'mine' >outside/small
mkfifo outside/pipe
(cd outside && for file in *; do [ -p "$file" ] || cksum "$file"; done) >before
cases=0
for file in manifest.csv cells.csv launches.csv pair/brute.csv trajectories/pair.csv; do
    for target in "../outside/$(basename $file)" "$PWD/outside/$(basename $file)" ../outside/pipe "$PWD/outside/pipe"; do
        rm -rf bad
        cp -r good bad
        case $file/$target in
        */*/../*) target=../$target ;;
        esac
        ln -sf "$target" "bad/$file"
        case $file in
        manifest.csv) refused "$file" compare good bad ;;
        launches.csv) refused "$file" compare bad ;;
        cells.csv) refused "$file" compare bad ;;
        esac
        case $file in
        manifest.csv | cells.csv | pair/brute.csv) refused "$file" check bad --baseline baseline.csv ;;
        esac
        [ $file = launches.csv ] || refused "$file" replay bad --scenario pair --variant brute --frame 0
    done
done
for file in manifest.csv cells.csv passes.csv launches.csv deadline.csv builds.csv build_launches.csv pair/brute.passes pair/brute.csv \
    pair/floor.passes trajectories/pair.csv manifest.csv.part; do
    for target in small pipe; do
        rm -rf bad
        cp -r good bad
        ln -sf "$PWD/outside/$target" "bad/$file"
        refused "$file to $target" run --resume bad --quiet
    done
done
for folder in pair trajectories; do
    rm -rf bad
    cp -r good bad
    rm -r "bad/$folder"
    ln -s "$PWD/outside" "bad/$folder"
    refused "folder $folder" replay bad --scenario pair --variant brute --frame 0
    refused "folder $folder" run --resume bad --quiet
done
(cd outside && for file in *; do [ -p "$file" ] || cksum "$file"; done) | cmp - before
ls outside | wc -l
echo "$cases refused"

echo '# what compare adds to a folder goes nowhere else, and is compared all the same'
rm -rf bad
cp -r good bad
ln -sf "$PWD/outside/small" bad/compare.csv
ln -sf "$PWD/outside/pipe" bad/pareto.csv
timeout 600 "$proxbench" compare bad 2>&1 | sed "s|$PWD|.|" | head -n 3
cat outside/small
