# check-all: it draws all figures
# Figures of a run: those that its experiment names, on the scenarios that suit them. Messages of
# gnuplot are printed, a script that fails leaves no picture, and names are never executed.
mkdir -p data/plots results/one results/many
export PROXBENCH_DATA=data
cat >results/one/manifest.csv <<'END'
section,key,value
suite,version,1.2
suite,commit,abc & <def>
run,experiment,extra
run,mode,ci
run,start_utc,2026-01-02T03:04:05Z
machine,cpu,A (tiny) \ one
machine,cpus_online,3
run,figure,good
run,figure,pairs
run,figure,extra
run,figure,wrong
run,figure,draws-nothing
run,figure,absent
run,figure,last
END
printf 'section,key,value\nrun,mode,smoke\n' >results/many/manifest.csv
cells() { # the header of cells.csv, limited to the columns that are read
    echo scenario,variant,file,quantity,distance_error_size_mean,volume_error_rel_mean,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_max,volume_error_rel_max,violations_count,tp_count,tn_count,fp_count,fn_count,frames_count,answers_hash
}
cell() { # cell SCENARIO VARIANT FILE QUANTITY DISTANCE_ERROR VOLUME_ERROR
    printf '"%s","%s",%s,%s,%s,%s,ok,1,1,,,0,0,1,0,0,1,x\n' "$@"
}
{
    cells
    cell far/off floor floor distance '' ''
    cell far/off ist:radius=primary,voxels=64 ist_radius=primary_voxels=64 distance 0.5 ''
    cell near ist ist unified 0 1
    cell near ist@twin ist_twin unified 0 1
    cell asked/distance ist ist distance 0 ''
    cell asked/volume ist ist volume '' 0
    cell touch ist ist contact 0.5 ''
} >results/one/cells.csv
head -n 5 results/one/cells.csv >results/many/cells.csv
script() { # script NAME QUANTITIES VARIANTS [LINE]...: plots/NAME.gp, which declares the figure NAME
    name=$1 quantities=$2 variants=$3
    shift 3
    {
        printf '# figure: %s\n# quantities: %s\n# variants: %s\n' "$name" "$quantities" "$variants"
        [ $# -eq 0 ] || printf '%s\n' "$@"
    } >data/plots/$name.gp
}
# The frame of a figure, as plots/style.gp of the suite does it: prints its arguments, then runs the
# script.
cat >data/plots/style.gp <<'END'
format = word(ARG9, 1)
if (format eq 'png') { set terminal pngcairo size 300, 200 }
if (format eq 'svg') { set terminal svg size 300, 200 }
if (format eq 'pdf') { set terminal pdfcairo size 4, 3 }
script = ARG1
set datafile separator comma
stats ARG2.'/cells.csv' skip 1 using (1) nooutput
print '|', ARG2, '|', ARG3, '|', ARG4, '|', ARG5, '|', ARG6, '|', ARG7, '|', ARG8, '|', ARG9, '|'
load script
unset key
plot x
END
script good 'distance volume' '*, at least 1' 'set encoding utf8'
script pairs 'distance volume' 'i*, at least 2' nonsense
script extra distance 'ist*, at least 1' '# needs: extra.csv'
script wrong volume 'ist*, at least 1' nonsense
script draws-nothing volume 'ist*, at least 1' 'exit gnuplot'
script last 'volume contact' '@(ist|other), at least 1'
script single contact '*, at least 1' # It has one picture.
unset LANG LC_CTYPE
export LC_ALL=C
run plot one --format png,svg
ls results/one/figures
rm -r results/one/figures
run plot results/one/ --figure single --out some/where --format pdf --width 84 --no-title
ls some/where
printf 'scenario,quantity,file\nnear,distance,ist\nfar/off,volume,ist\n' >results/one/extra.csv
echo '# a figure is drawn for its experiment, if the file that it needs has rows'
run plot one --figure extra --format png
echo '# without a list of figures'
for figure in frames deadline; do
    sed "s/figure: good/figure: $figure/" data/plots/good.gp >data/plots/$figure.gp
done
sed 's/figure: extra/figure: pareto/' data/plots/extra.gp >data/plots/pareto.gp
run plot many --format png
echo '# a figure needs other variants or quantities'
script beside distance 'ist*, at least 1' '# beside: ist:radius=primary,voxels=64'
script siblings distance 'ist*, at least 1' '# siblings: distance volume'
run plot one --figure beside --format png
run plot one --figure siblings --format png
script siblings distance 'ist*, at least 1' '# siblings: distance volume unified'
run plot one --figure siblings --format png

echo '# exact methods that no second method judged, and figures that would be empty'
mkdir results/open
cp results/many/manifest.csv results/open
{
    echo "$(cells),contract"
    echo 'near,exact-volume,exact-volume,force,,,ok,1,1,,,0,0,1,0,0,1,x,force=exact'
    echo 'near,vps,vps,volume,,1,ok,1,1,,,0,0,1,0,0,1,x,volume=approximate'
    echo 'near,brute,brute,volume,,,ok,1,1,,,0,0,1,0,0,1,x,volume=exact'
    echo 'near,exact-tetra,exact-tetra,volume,,,ok,1,1,,,0,0,1,0,0,1,x,volume=exact'
    echo 'near,ist,ist,volume,,,ok,1,1,,,0,0,1,0,0,1,x,volume=approximate'
    echo 'far,vps,vps,volume,,1,ok,1,1,,,0,0,1,0,0,1,x,volume=approximate'
    echo 'far,floor,floor,volume,,,ok,1,1,,,0,0,1,0,0,1,x,'
    echo 'open,exact-volume,exact-volume,volume,,,ok,1,1,,,0,0,1,0,0,1,x,volume=exact'
} >results/open/cells.csv
cat >results/open/seen.csv <<'END'
scenario,quantity,file,share
near,volume,vps,0
far,volume,vps,0
END
script unjudged volume '*, at least 1' '# needs: seen.csv' '# draws: unjudged' '# shows: share'
run plot open --figure unjudged --format png
sed -i 2d results/open/seen.csv
run plot open --figure unjudged --format png
printf 'near,volume,vps,0\n' >>results/open/seen.csv
sed -i 's/^far,volume,vps,0/far,volume,vps,0.1/' results/open/seen.csv
run plot open --figure unjudged --format png
script unjudged volume '*, at least 1' '# needs: seen.csv' '# shows: share'
run plot open --figure unjudged --format png

echo '# a script declares several figures, and some of them together'
printf '# figure: %s\n# quantities: contact\n# variants: *, at least %d\n\n' 'first second' 1 third 9 >data/plots/several.gp
run plot one --figure second --format png
run plot one --figure third
rm data/plots/several.gp

echo '# a figure asked for by name that cannot be drawn'
run plot one --figure god
run plot one --figure style
run plot one --figure pairs
run plot many --figure extra
run plot one --figure ../plots/good
run plot two
script wrong volume 'ist*'
run plot one --figure wrong
run plot one --format png,gif
run plot one --format png,png,png,png,png,png,png,png,png
run plot one --width 5
run plot one two
script wrong volume 'ist*, at least 1' nonsense

echo '# an old picture does not stay if the new one fails'
mkdir stale
touch stale/near-volume-wrong.png
run plot one --figure wrong --out stale
ls stale
echo '# the folder cannot be made or written'
touch plain
run plot one --figure last --out plain/inside
[ "$(id -u)" = 0 ] || mkdir -m 555 closed
mkdir -p closed
if [ -w closed ]; then # root can write into it
    echo 'proxbench: error: cannot write into closed'
else
    run plot one --figure last --out closed 2>&1 | sed -n 's/closed.:.*/closed/; s/into ./into /; /error/p'
fi

echo '# names that no run writes are refused'
mkdir results/bad
attack() { # attack SCENARIO VARIANT FIGURE
    printf 'section,key,value\nrun,figure,"%s"\n' "$3" >results/bad/manifest.csv
    {
        cells
        cell near ist ist unified 0 1
        cell "$1" "$2" ist unified 1 1
    } >results/bad/cells.csv
    run plot bad --format svg
}
newline='a
touch hit'
for name in "x'; system('touch hit'); y='" '`touch hit`' '$(touch hit)' '<touch hit' '|touch hit' \
    "$newline" ../../x /tmp/x x/../y . .. 'x y' 'x"y' '@x' '~' ''; do
    attack "$name" ist good
    case $name in '@x' | . | ..) ;; *) attack far "$name" good ;; esac
    attack far ist "$name"
done
echo '# folders may have any name'
for name in "it's; system('touch hit')" '<touch hit' '|touch hit' '`touch hit`' "$newline" 'x y' '~'; do
    cp -r results/one "$name"
    cp -r data "$name"
    run plot "$name" --figure single --format svg | tail -n 4
    run plot one --figure single --format svg --out "$name/out" --data "$name/data" | tail -n 4
done
find . -name hit

echo '# links in place of a picture or of the folder of a received run are not followed'
mkdir linked
echo kept >kept
for kind in png svg; do
    ln -s ../kept linked/touch-contact-single.$kind
done
run plot one --figure single --out linked --format png,svg
cat kept
find linked -type l
rm -r results/many/figures linked/*
ln -s ../../linked results/many/figures
run plot many --figure single
ls linked

echo '# each picture records its source'
rm -r results/one/figures
run plot one --figure single --format png,svg,pdf --width 84
run plot many --figure single --out results/one/figures --format svg
sed -n 's/.*\(width="[0-9.]*mm"\).*/\1/p' results/one/figures/touch-contact-single.svg
cat results/one/figures/index.csv
echo damaged >results/one/figures/index.csv
run plot one --figure single --format png
cat results/one/figures/index.csv

echo '# without a font and without gnuplot'
mkdir bin empty
printf '#!/bin/sh\n' >bin/fc-list
chmod +x bin/fc-list
PATH=$PWD/bin:$PATH
run plot one
PATH=$PWD/empty
run plot one
