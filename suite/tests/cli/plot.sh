# The scripts that a run names are drawn; whatever gnuplot says is a failure.
mkdir -p plots results/one results/many
printf 'section,key,value\nrun,figure,good\n' >results/one/manifest.csv
printf 'section,key,value\nrun,seed,1\n' >results/many/manifest.csv
printf 'x,y\n1,2\n2,3\n' >results/one/cells.csv
cp results/one/cells.csv results/many
cat >plots/good.gp <<'END'
set datafile separator comma
set terminal svg
set output out . '/good.svg'
plot run . '/cells.csv' using 'x':'y'
END
echo 'nonsense' >plots/wrong.gp
echo 'warn "a curve is left out"' >plots/warns.gp
echo 'print "said something"' >plots/warns.gp
touch plots/style.gp
run plot one
ls plots/out
rm -r plots/out
run plot results/one --figure good
ls plots/out
run plot one --figure god
"$proxbench" plot many 2>&1 | sed 's/ *\^.*//'
run plot two
echo '# without a font, and without gnuplot'
mkdir bin empty
printf '#!/bin/sh\n' >bin/fc-list
chmod +x bin/fc-list
PATH=$PWD/bin:$PATH
run plot one
PATH=$PWD/empty
run plot one
