# The frame of all figures: gnuplot -c plots/style.gp SCRIPT RUN SCENARIO QUANTITY FILES LABELS LOOKS SHARED SETTINGS
# (proxbench plot does it, and takes the picture from the standard output). The script finds here
#   run        folder of the run           scenario  name        quantity  distance|volume|contact
#   files      variants, as their files are called               count     how many
#   label(i)   what tells variant i from the others; `ls i` is its look
#   judged(i)  0 for an exact method without an error, since no second method judged it
#   shared     what the labels leave out   of_paper  whether a paper's own numbers belong here
#   paper(id)  the paper's number of a claim, of the experiments that the script names ("# paper: ..."); NaN for others
#   plots      folder of the scripts, for what they load
# (compare files with the column 'file': gnuplot cuts texts at a comma, also quoted ones)
# and selects columns by header name; it computes nothing but units and where things stand.
# A script draws the figures that it declares, each in a line "# figure: NAME" and the lines after it
# (suite/figures/figures.h); a script without such a line is a part of others. `figure` is the name. A
# figure says title and keys, and declares its panels by `call panel ...` (panel.gp); curves.gp draws
# them at the end. A figure of another form says its body, and loads frame.gp, which opens the picture, and
# place.gp for each panel.
script = ARG1
run = ARG2
scenario = ARG3
quantity = ARG4
files = ARG5
labels = ARG6
looks = ARG7
shared = ARG8
format = word(ARG9, 1)
width_mm = real(word(ARG9, 2))
titled = int(word(ARG9, 3))
of_paper = int(word(ARG9, 4))
smoke = int(word(ARG9, 5))
figure = word(ARG9, 6)
settings = ARG9
paper_at(k, id) = k > 0 ? real(word(settings[k + strlen(id) + 2:*], 1)) : NaN
paper(id) = paper_at(strstrt(settings, ' '.id.'='), id)
plots = ARG0[1:strlen(ARG0) - strlen('/style.gp')]
panel = plots.'/panel.gp'
axis = plots.'/axis.gp'
legend = plots.'/legend.gp'
count = words(files)

set encoding utf8
set micro
set datafile separator comma
set datafile columnheaders
set datafile missing NaN # rows of others are left out, and lines go on behind them

# --- Files of the run -------------------------------------------------------------------------------
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv' # the frames of variant i
table(name) = run.'/'.name.'.csv'
cells = table('cells')
builds = table('builds')
build_ratios = table('build_ratios')
# A value in a row of the scenario, of its variant i, or of any of its variants; else NaN.
here(x) = strcol('scenario') eq scenario ? x : NaN
mine(i, x) = strcol('file') eq word(files, i) ? here(x) : NaN
is_ours(name) = strstrt(' '.files, ' '.name.' ') > 0
ours(x) = is_ours(strcol('file')) ? here(x) : NaN
# Rows of variants: row k is that of variant word(row_variants, k).
row_from(name, k) = k > words(row_variants) ? NaN : word(files, int(word(row_variants, k))) eq name ? k : row_from(name, k + 1)
row_of(name) = row_from(name, 1) # NaN if it has none
row_label(k) = label(int(word(row_variants, k)))
positive(x) = x > 0 ? x : NaN
or(x, otherwise) = x == x ? x : otherwise
# A command that finds the largest of some values above 0, found_max, which is 0 if there are none. `plot` warns if a curve has no point.
found(from, value) = sprintf("stats %s using (or(%s, 0)) nooutput name 'found'", from, value)

# --- Sizes, in points: a letter, the picture, and lines of text -------------------------------------
letter = width_mm > 0 ? 7.0 : 9.5
small = letter * 0.9
W = width_mm > 0 ? width_mm * 72 / 25.4 : 600.0
narrow = W < 340
char = 0.58           # the width of a letter of 1 point, on average, with some to spare
pitch = 1.35 * letter # from line to line
margin = 0.6 * letter
axis_below = 3.7 * letter # tick labels and the axis's name
axis_left = 6.2 * letter  # the same

# --- Texts ------------------------------------------------------------------------------------------
label(i) = word(labels, i)
judged(i) = int(word(looks, 4 * i))
# Variants that are judged, one(1) to one(ones), and the others, other(1) to other(others). Both are
# defined without such a variant, too, since `plot` evaluates an empty loop once without drawing it.
judged_list = ''
unjudged_list = ''
do for [i = 1:count] {
    if (judged(i)) { judged_list = judged_list.' '.i } else { unjudged_list = unjudged_list.' '.i }
}
one(n) = ones > 0 ? int(word(judged_list, n)) : 1
ones = words(judged_list)
other(n) = others > 0 ? int(word(unjudged_list, n)) : 1
others = words(unjudged_list)
and(list, entry) = list.(list eq '' ? '' : ', ').entry
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b
# Ends of lines in the place of blanks, so that no line has more than n letters, unless a word has.
blank_before(s, n) = n < 1 ? 0 : s[n:n] eq ' ' ? n : blank_before(s, n - 1)
cut_at(s, n) = blank_before(s, n + 1) > 0 ? blank_before(s, n + 1) : strstrt(s, ' ')
wrap(s, n) = strlen(s) <= n || cut_at(s, n) == 0 ? s : s[1:cut_at(s, n) - 1]."\n".wrap(s[cut_at(s, n) + 1:*], n)
line_end(s) = strstrt(s, "\n")
lines(s) = strlen(s) == 0 ? 0 : line_end(s) == 0 ? 1 : 1 + lines(s[line_end(s) + 1:*])
longest(s) = line_end(s) == 0 ? strlen(s) : larger(line_end(s) - 1, longest(s[line_end(s) + 1:*]))
line_of(s, n) = n > 1 ? line_of(s[line_end(s) + 1:*], n - 1) : line_end(s) > 0 ? s[1:line_end(s) - 1] : s

# --- Units and ranges -------------------------------------------------------------------------------
duration(ns) = ns * 1e-9 # axes in seconds, labelled 10 µs, 1 ms, ...
percent(x) = 100 * x
spent(name) = duration(column(name))
share(name) = percent(column(name))
# A volume up to v reads best in m³, dm³, cm³ or mm³.
cubic(v) = v >= 0.1 ? 1 : v >= 1e-4 ? 1e3 : v >= 1e-7 ? 1e6 : 1e9
cubic_name(v) = v >= 0.1 ? 'm³' : v >= 1e-4 ? 'dm³' : v >= 1e-7 ? 'cm³' : 'mm³'
seconds = '%.0s %cs'
is_log(axis) = strstrt(' log time count ', ' '.word(axis, 1).' ') > 0
# The number of the form 1, 2 or 5 times a power of ten that is not above, or not below.
decade(v) = 10.0**floor(log10(v) + 1e-9)
leading(v) = v / decade(v) + 1e-9
below(v) = (leading(v) >= 5 ? 5 : leading(v) >= 2 ? 2 : 1) * decade(v)
above(v) = below(v) >= v * (1 - 1e-9) ? below(v) : (leading(v) >= 5 ? 10 : leading(v) >= 2 ? 5 : 2) * decade(v)
# The distance of about n ticks up to v.
step(v, n) = v <= 0 ? 1 : above(v / n) <= v ? above(v / n) : below(v)

# --- Looks ------------------------------------------------------------------------------------------
# The suite says colour, dash and marker (suite/figures/looks.h). Markers are of a size on all
# terminals.
dot = format eq 'svg' ? 0.55 : format eq 'pdf' ? 0.3 : 1.0
# Crosses are larger: their strokes are thin beside filled marks, and SVG widens them with their size alone.
marker(i) = int(word(looks, 4 * i - 1))
sized(i) = marker(i) <= 3 ? 1.6 * dot : dot
dashes = '"solid" "(14, 7)" "(6, 6)" "(14, 6, 4, 6)" "(14, 6, 4, 6, 4, 6)"'
do for [i = 1:count] {
    set style line i lc rgb word(looks, 4 * i - 3) lw 2 pt marker(i) ps 1.1 * sized(i)
    eval sprintf('set style line %d dt %s', i, word(dashes, int(word(looks, 4 * i - 2))))
}
set style line 100 lc rgb '#000000' lw 1.5 dt (4, 6) pt 7 ps 0.5 * dot # the truth
set style line 101 lc rgb '#666666' lw 1.5 dt (12, 8) pt 0              # a number from a paper
set style line 102 lc rgb '#666666' lw 1.5 dt (4, 6) pt 0              # the same
set style line 103 lc rgb '#999999' lw 3 dt solid pt 0                 # the front of all
set style line 104 lc rgb '#BBBBBB' lw 1 dt solid pt 0                 # a help for the eye
# Things that are no variants.
set style line 201 lc rgb '#0072B2' lw 2 dt solid pt 7 ps 1.1 * dot
set style line 202 lc rgb '#D55E00' lw 2 dt (14, 7) pt 5 ps 1.1 * dot
set style line 203 lc rgb '#009E73' lw 2 dt (6, 6) pt 9 ps 1.1 * dot
set style line 204 lc rgb '#CC79A7' lw 2.5 dt (14, 6, 4, 6) pt 13 ps 1.1 * dot
set style line 205 lc rgb '#E69F00' lw 2.5 dt (14, 6, 4, 6, 4, 6) pt 11 ps 1.1 * dot
set style line 206 lc rgb '#56B4E9' lw 2.5 dt solid pt 15 ps 1.1 * dot
set style line 207 lc rgb '#000000' lw 1.5 dt solid pt 6 ps 1.6 * dot # around another mark
set border 3 lc rgb '#444444'
set tics nomirror out scale 0.5
set grid lc rgb '#DDDDDD' lw 1
unset key
first_panel = 1

# An upright or a level line at x or y, number n of the panel, as a command for `before`.
upright(n, x, look) = sprintf('set arrow %d from %.9g, graph 0 to %.9g, graph 1 nohead ls %d; ', n, x, x, look)
level(n, y, look) = sprintf('set arrow %d from graph 0, first %.9g to graph 1, first %.9g nohead ls %d back; ', n, y, y, look)

# Defaults of variables that a script may set.
claim = '' # of a paper, below the title
remark = '' # below the title, also where the title is left to the caption
keys = ''
more_keys = ''
more_looks = ''
key(entry, look) = (more_keys = more_keys.'"'.entry.'" ', more_looks = more_looks.look.' ')
left_room = axis_left
panels = 0
head_room = 0
foot_room = 0
high = 0
layout = ''
heights = ''
row_variants = ''
do for [i = 1:count] { row_variants = row_variants.i.' ' }
of_one_panel = 'x_holds y_holds x_ends y_ends name_above before' # panel.gp
do for [name in of_one_panel] { eval name." = ''" }
do for [name in 'x_names y_names x_axes y_axes x_lo x_hi y_lo y_hi curves befores names_above'] { eval 'array '.name.'[40]' } # of panels

load script
if (panels > 0) { load plots.'/curves.gp' }
