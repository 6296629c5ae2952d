# Figures of a run: those that its experiment names, on the scenarios that they suit. Whatever gnuplot
# says is a failure, and no name is ever more than a name.
mkdir -p plots results/one results/many
cat >results/one/manifest.csv <<'END'
section,key,value
run,figure,good
run,figure,pairs
run,figure,extra
run,figure,wrong
run,figure,warns
run,figure,absent
run,figure,last
END
printf 'section,key,value\nrun,seed,1\n' >results/many/manifest.csv
cells() { # the header of cells.csv, as far as it is read
    echo scenario,variant,file,quantity,distance_error_rel_mean,volume_error_rel_mean,status,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_max,violations_count,tp_count,tn_count,fp_count,fn_count,frames_count,answers_hash
}
cell() { # cell SCENARIO VARIANT FILE QUANTITY DISTANCE_ERROR VOLUME_ERROR
    printf '"%s","%s",%s,%s,%s,%s,ok,1,1,,,,0,0,1,0,0,1,x\n' "$@"
}
{
    cells
    cell far/off floor floor distance '' ''
    cell far/off ist:radius=primary,voxels=64 ist_radius=primary_voxels=64 distance 0.5 ''
    cell near ist ist unified 0 1
    cell near ist@twin ist_twin unified 0 1
} >results/one/cells.csv
cp results/one/cells.csv results/many
# The frame of a figure, as plots/style.gp of the suite has it: what it is told, and then the script.
cat >plots/style.gp <<'END'
script = ARG1
set datafile separator comma
stats ARG2.'/cells.csv' skip 1 using (1) nooutput
set print ARG7
print ARG2, ' ', ARG3, ' ', ARG4, ' ', ARG5, ' ', ARG6, ' ', ARG8
load script
END
printf '# quantities: distance volume\n# variants: *, at least 1\nset encoding utf8\n' >plots/good.gp
printf '# quantities: distance volume\n# variants: i*, at least 2\nnonsense\n' >plots/pairs.gp
printf '# quantities: distance\n# variants: ist*, at least 1\n# needs: extra.csv\n' >plots/extra.gp
printf '# quantities: volume\n# variants: ist*, at least 1\nnonsense\n' >plots/wrong.gp
printf '# quantities: distance\n# variants: ist*, at least 1\nset print\nprint "said something"\n' >plots/warns.gp
printf '# quantities: volume\n# variants: *, at least 1\n' >plots/last.gp
unset LANG LC_CTYPE
export LC_ALL=C
run plot one 2>&1 | sed 's/ nonsense.*/ nonsense/'
ls plots/out
cat plots/out/*
rm -r plots/out
run plot results/one/ --figure good --out some/where
ls some/where
touch results/one/extra.csv
run plot one --figure extra
echo '# without a list'
cp plots/good.gp plots/frames.gp
cp plots/good.gp plots/deadline.gp
run plot many
cp plots/extra.gp plots/pareto.gp
run plot many
echo '# asked for by name, and impossible'
run plot one --figure god
run plot one --figure style
run plot one --figure pairs
run plot many --figure extra
run plot one --figure ../plots/good
run plot two
printf '# quantities: volume\n# variants: ist*\n' >plots/wrong.gp
run plot one --figure wrong

echo '# names that no run writes'
mkdir results/bad
attack() { # attack SCENARIO VARIANT FIGURE
    printf 'section,key,value\nrun,figure,"%s"\n' "$3" >results/bad/manifest.csv
    {
        cells
        cell near ist ist unified 0 1
        cell "$1" "$2" ist unified 1 1
    } >results/bad/cells.csv
    run plot bad
}
newline='a
touch hit'
for name in "x'; system('touch hit'); y='" '`touch hit`' '$(touch hit)' '<touch hit' '|touch hit' \
    "$newline" ../../x /tmp/x x/../y . .. 'x y' '@x' '~' ''; do
    attack "$name" ist good
    case $name in '@x' | . | ..) ;; *) attack far "$name" good ;; esac
    attack far ist "$name"
done
echo '# folders may have any name'
for name in "it's; system('touch hit')" '<touch hit' '|touch hit' '`touch hit`' "$newline" 'x y' '~'; do
    cp -r results/one "$name"
    run plot "$name" --figure good --out "$name" | tail -n 3
done
ls -d plots/out/*hit* 2>/dev/null
find . -name hit

echo '# a link in the place of a picture is not followed'
mkdir linked
echo kept >kept
for kind in png png.part svg svg.part; do
    ln -s ../kept linked/one-near-volume-last.$kind
done
run plot one --figure last --out linked
cat kept
find linked -type l -name '*.part' -o -name '*.png' -type l

echo '# without a font, and without gnuplot'
mkdir bin empty
printf '#!/bin/sh\n' >bin/fc-list
chmod +x bin/fc-list
PATH=$PWD/bin:$PATH
run plot one
PATH=$PWD/empty
run plot one
