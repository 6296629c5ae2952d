# The figures that suit a run are drawn, once a scenario; whatever gnuplot says is a failure.
mkdir -p plots results/one results/many
printf 'section,key,value\nrun,figure,good\n' >results/one/manifest.csv
printf 'section,key,value\nrun,seed,1\n' >results/many/manifest.csv
cat >results/one/cells.csv <<'END'
scenario,quantity,variant,distance_error_rel_mean,volume_error_rel_mean
far/off,distance,null,,
far/off,distance,"ist:radius=primary,voxels=64",0.5,
near,unified,ist,0,1
near,unified,ist@twin,0,1
END
cp results/one/cells.csv results/many
cat >plots/good.gp <<'END'
# quantities: distance volume
# variants: *, at least 1
set print out.'.'.format
print run, ' ', scenario, ' ', quantity, ' ', variants, ' ', files
END
cat >plots/pairs.gp <<'END'
# quantities: distance volume
# variants: *, at least 2
nonsense
END
printf '# quantities: volume\n# variants: ist*, at least 1\nnonsense\n' >plots/wrong.gp
printf '# quantities: distance\n# variants: ist*, at least 1\nprint "said something"\n' >plots/warns.gp
echo '# a part of others' >plots/style.gp
sed -i 's/^set print/set encoding utf8\nset print/' plots/good.gp
unset LANG LC_CTYPE
export LC_ALL=C
run plot one
cat plots/out/*
rm -r plots/out
run plot results/one --figure good
run plot one --figure god
"$proxbench" plot many 2>&1 | sed 's/ *\^.*//'
run plot two
printf '# quantities: volume\n# variants: ist*\n' >plots/wrong.gp
run plot one
rm plots/wrong.gp
echo '# a file that not every run has'
printf '# quantities: volume\n# variants: ist*, at least 1\n# needs: extra.csv\n' >plots/extra.gp
run plot one
run plot one --figure extra
touch results/one/extra.csv
run plot one --figure extra
rm plots/extra.gp
echo '# without a font, and without gnuplot'
mkdir bin empty
printf '#!/bin/sh\n' >bin/fc-list
chmod +x bin/fc-list
PATH=$PWD/bin:$PATH
run plot one
PATH=$PWD/empty
run plot one
