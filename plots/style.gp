# The frame of all figures: gnuplot -c plots/style.gp SCRIPT RUN SCENARIO QUANTITY VARIANTS FILES OUT FORMAT
# (proxbench plot does it). The script, which comes last, finds here
#   run        folder of the run           scenario  name        quantity  distance|volume
#   variants   names as in cells.csv       files     the same names as files are called, same order
# (compare files with the column 'file': gnuplot cuts texts at a comma, also quoted ones)
# and selects columns by header name; it computes nothing but units. In its first lines,
# "# quantities: ..." and "# variants: GLOB, at least N" say for which scenarios it is drawn (those of
# these quantities with as many variants that have errors), once for each; a script without the two
# lines is a part of others. "# needs: FILE": not drawn where the run has no such file.
script = ARG1
run = ARG2
scenario = ARG3
quantity = ARG4
variants = ARG5
files = ARG6
out = ARG7
format = ARG8

set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing ''
if (format eq 'png') {
    set terminal pngcairo size 1200,900 font 'DejaVu Sans,17' noenhanced
} else {
    set terminal svg size 1200,900 font 'DejaVu Sans,17' noenhanced dynamic name 'figure'
}
set output out

# Okabe and Ito's palette, told apart by the colour-blind; point shapes differ as well, and from the
# ninth on lines are dashed.
colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #7F7F7F #A6761D'
shapes = '7 5 9 11 13 4 6 8 10 12 14 1 2 3 15 65'
do for [i = 1:8] {
    set linetype i lc rgb word(colours, i) lw 2 dt 1 pt int(word(shapes, i)) ps 1.1
    set linetype i + 8 lc rgb word(colours, i) lw 2 dt '-' pt int(word(shapes, i + 8)) ps 1.1
}
set linetype cycle 16
set style line 100 lc rgb '#000000' lw 3          # the truth
set style line 101 lc rgb '#888888' lw 1.5 dt 2   # a number from a paper

set border 3 lc rgb '#444444'
set tics nomirror out
set grid lc rgb '#DDDDDD' lw 1
set key outside below center horizontal spacing 1.2 samplen 2
set lmargin 14
set rmargin 4

duration(ns) = ns * 1e-9                          # axes in seconds, labelled 10 us, 1 ms, ...
percent(share) = 100 * share

load script
