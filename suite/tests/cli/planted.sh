# check-all: it tampers with each file of a run
# The results of another user are only data. If a name in them could not have been written, or if
# there is a link, the folder is refused with one line and status 3, and nothing outside of it is
# read or written.
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

limit=
# refused CASE ARGUMENT...: expects one error line, status 3, and no new file
refused() {
    what=$1
    shift
    $limit "$proxbench" "$@" >output 2>&1
    status=$?
    line='' rest=''
    { read -r line && ! read -r rest; } <output && [ $status = 3 ] && [ ! "$rest" ] && [ ! -e /tmp/owned-$$ ] &&
        [ "$line" != "${line#proxbench: error: }" ] ||
        { echo "$what: $* ends with $status"; cat output; }
    cases=$((${cases-0} + 1))
}

echo '# names in files of a run that come from outside'
cat >texts <<END
x'; system('touch /tmp/owned-$$'); y='
a"b
\`touch /tmp/owned-$$\`
\$(touch /tmp/owned-$$)
a\nb
../good/pair
/etc/passwd
a|b
<b>
END
all='1 2 3 4 5 6 7 8 9'
for i in $all; do
    cp -r good bad$i
done
# plant FILE COLUMN AS: writes one copy of FILE for each text, to bad1AS, bad2AS and so on. The text
# replaces the field of that column in the first row of the copy, with a line break for \n.
plant() {
    awk -v column="$2" -v as="$3" -v q='"' 'BEGIN { FS = OFS = "," }
        FNR == NR { gsub(/\\n/, "\n"); gsub(q, q q); text[FNR] = q $0 q; next }
        FNR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; if (!at) print "there is no column", column }
        { for (i in text) { row = $0; if (FNR == 2) $at = text[i]; print >("bad" i as); $0 = row } }' texts "$1"
}
# A third of the texts is tried at each place, so that each text is tried at a third of the places.
place=0
for file in cells launches manifest baseline; do
    case $file in
    cells) columns='scenario variant quantity status baseline file' commands='compare check replay' ;;
    launches) columns='scenario variant baseline protocol file' commands=compare ;;
    manifest) columns='section key' commands='check replay run compare2' ;;
    baseline) columns='scenario variant status quantity' commands=bless ;;
    esac
    for column in $columns; do
        case $file in
        baseline) plant baseline.csv "$column" .csv ;;
        *) plant good/$file.csv "$column" /$file.csv ;;
        esac
        place=$((place + 1))
        for i in $all; do
            [ $(((place + i) % 3)) = 0 ] || continue
            what="text $i in $file:$column"
            for command in $commands; do
                case $command in
                compare) refused "$what" compare bad$i ;;
                compare2) refused "$what" compare good bad$i ;;
                check) refused "$what" check bad$i --baseline baseline.csv --junit bad.xml --markdown bad.md ;;
                bless) refused "$what" check bad$i --baseline bad$i.csv --junit bad.xml --markdown bad.md ;;
                replay) refused "$what" replay bad$i --scenario pair --variant brute --frame 0 ;;
                run) refused "$what" run --resume bad$i --quiet ;;
                esac
            done
        done
    done
    [ $file = baseline ] || for i in $all; do
        cp good/$file.csv bad$i/$file.csv
    done
done
for i in $all; do
    diff -r good bad$i
done
# The name of the experiment is part of the path of the baseline.
awk -v q='"' 'FNR == NR { gsub(q, q q); text[FNR] = q $0 q; next }
    { for (i in text) print /^run,experiment,/ ? "run,experiment," text[i] : $0 >("bad" i "/manifest.csv") }' texts good/manifest.csv
for i in $all; do
    refused "text $i as the experiment" check bad$i
    refused "text $i as the experiment" check --bless bad$i
done
ls bad.xml bad.md 2>/dev/null
echo "$cases refused"

echo '# links to files and to a pipe; opening the pipe would hang'
mkdir outside
cp good/pair/brute.passes good/pair/brute.csv good/trajectories/pair.csv good/*.csv outside
echo 'mine' >outside/small
mkfifo outside/pipe
(cd outside && cksum [!p]* p*.csv) >before
cases=0
limit='timeout 600'
rm -r bad?
cp -r good bad
# restore FILE: restores the file in bad.
restore() {
    if [ -e "good/$1" ]; then
        cp --remove-destination "good/$1" "bad/$1"
    else
        rm "bad/$1"
    fi
}
for file in manifest.csv cells.csv launches.csv pair/brute.csv trajectories/pair.csv; do
    for target in "../outside/${file##*/}" "$PWD/outside/${file##*/}" ../outside/pipe "$PWD/outside/pipe"; do
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
    restore $file
done
for file in manifest.csv cells.csv passes.csv launches.csv deadline.csv builds.csv build_launches.csv pair/brute.passes pair/brute.csv \
    pair/floor.passes trajectories/pair.csv manifest.csv.part; do
    for target in small pipe; do
        ln -sf "$PWD/outside/$target" "bad/$file"
        refused "$file to $target" run --resume bad --quiet
    done
    restore $file
done
diff -r good bad
for folder in pair trajectories; do
    rm -rf bad
    cp -r good bad
    rm -r "bad/$folder"
    ln -s "$PWD/outside" "bad/$folder"
    refused "folder $folder" replay bad --scenario pair --variant brute --frame 0
    refused "folder $folder" run --resume bad --quiet
done
(cd outside && cksum [!p]* p*.csv) | cmp - before
ls outside | wc -l
echo "$cases refused"

echo '# compare writes only into the folder of the run'
rm -rf bad
cp -r good bad
ln -sf "$PWD/outside/small" bad/compare.csv
ln -sf "$PWD/outside/pipe" bad/pareto.csv
timeout 600 "$proxbench" compare bad 2>&1 | sed "s|$PWD|.|" | head -n 3
cat outside/small
