# VPS-F5: (a) surface voxels that the old generator misses and has in excess against its tolerance, and the new ones; (b) how
# far points lie from the next one. The paper shows pictures: holes and excess of the old, none of the new.
# quantities: contact
# variants: vps*, at least 2
# draws: work
# needs: builds.csv
builds = run.'/builds.csv'
pair = scenario
load plots.'/bodies.gp'
claim = 'paper: "too few or too many voxels" of the old, none of the new'
behind(name) = strstrt(name, 'tolerance=') > 0 ? name[strstrt(name, 'tolerance=') + 10:*] : '0'
tolerance_of(name) = real(strstrt(behind(name), '_') > 0 ? behind(name)[1:strstrt(behind(name), '_') - 1] : behind(name))
is_old(name) = strstrt(name, 'generator=old') > 0
in(role) = strcol('status') eq 'ok' && strcol('body') eq (role eq 'fixed' ? body_a : body_b) && strcol('role') eq role && strstrt(' '.files, ' '.strcol('file').' ') > 0
of(old, x) = in('fixed') && is_old(strcol('file')) == old ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
# None has no place on a logarithmic axis: it is drawn as the least.
none = 0.5
shown(n) = larger(n, none)
stats builds using (in('fixed') ? larger(column('missing_voxels_count'), column('excess_voxels_count')) : 0) nooutput name 'most'
reach = 0.1
do for [i = 1:count] { reach = larger(reach, abs(tolerance_of(word(files, i)))) }
# (b) Those of a tolerance make the points of the generator without one.
rows_of = ''
do for [i = 1:count] {
    f = word(files, i)
    if (strstrt(f, 'tolerance=') == 0 && strstrt(f, 'navigation=') == 0) { rows_of = rows_of.sprintf('%d ', i) }
}
shells = words(rows_of)
# Settings that are equal in all of them are not named.
short(entry) = strstrt(entry, ' tolerance=0') > 0 ? entry[1:strstrt(entry, ' tolerance=0') - 1] : entry
shell_label(k) = wrap(short(label(int(word(rows_of, k)))), row_letters)
mine(k, x) = in('moving') && strcol('file') eq word(files, int(word(rows_of, k))) && x > 0 ? x : NaN
any(x, otherwise) = in('moving') && x > 0 ? x : otherwise
stats builds using (any(column('spacing_mean_m'), 0)) nooutput name 'far'
stats builds using (any(column('spacing_deviation'), 0)) nooutput name 'uneven'

row_letters = narrow ? 22 : 30
row_lines = 1
row_longest = 1
do for [k = 1:shells] {
    entry = shell_label(k)
    row_lines = larger(row_lines, lines(entry))
    row_longest = larger(row_longest, longest(entry))
}
rows = larger(1, shells) * (pitch * row_lines + 0.8 * letter)
names = char * small * row_longest + 1.6 * letter
upper = narrow ? 150 : 200

title = scenario.': quality of voxels and points'
body = upper + rows + axis_below + 3 * letter
dummy = key('old: missing (a)', 'b202')
dummy = key('old: in excess (a)', 'b201')
dummy = key('new, both (a)', 'p203')
dummy = key('mean distance to the next point (b)', 'p204')
dummy = key('its standard deviation / mean (c)', 'p205')
load plots.'/frame.gp'

set multiplot
x0 = axis_left
x1 = W - 2 * letter
y0 = rows + 2 * axis_below + 2.6 * letter
y1 = body - 2 * letter
x_name = 'tolerance (edges of a voxel)'
y_name = 'voxels'
mark = '(a)'
load plots.'/panel.gp'
set xrange [-1.1 * reach:1.1 * reach]
axis = 'y'
lo = none
hi = larger(10, 1.2 * most_max)
tick = '%.0s%c'
room = narrow ? 4 : 6
load plots.'/ticks.gp'
set ytics add ('0' none)
plot builds using (of(1, tolerance_of(strcol('file')))):(shown(column('missing_voxels_count'))) smooth unique with linespoints ls 202, \
     builds using (of(1, tolerance_of(strcol('file')))):(shown(column('excess_voxels_count'))) smooth unique with linespoints ls 201, \
     builds using (of(0, 0)):(shown(column('missing_voxels_count'))) with points ls 203, \
     builds using (of(0, 0)):(shown(column('excess_voxels_count'))) with points ls 203

unset logscale y
room_right = W - margin - names - letter
do for [p = 1:2] {
    x0 = margin + names + (p - 1) * 0.5 * room_right
    x1 = x0 + 0.5 * room_right - 2.4 * letter
    y0 = axis_below
    y1 = y0 + rows
    x_name = p == 1 ? 'spacing (mm)' : narrow ? 'deviation' : 'deviation / mean'
    y_name = ''
    mark = ''
    load plots.'/panel.gp'
    set label 4 (p == 1 ? '(b)' : '(c)') at screen sx(p == 1 ? margin : x0), sy(y1 + 0.8 * letter) left
    set yrange [shells + 0.5:0.5]
    set ytics ()
    do for [k = 1:shells] {
        set ytics add ('' k)
        entry = shell_label(k)
        middle = y1 - (k - 0.5) * (y1 - y0) / shells + 0.5 * pitch * (lines(entry) - 1)
        if (p == 1) {
            do for [n = 1:lines(entry)] {
                part = line_of(entry, n)
                set label 100 + 20 * k + n part at screen sx(x0 - 0.8 * letter), sy(middle - pitch * (n - 1)) right font small_font
            }
        }
    }
    top = larger(1e-9, p == 1 ? 1e3 * far_max : uneven_max)
    set xrange [0:1.1 * top]
    set xtics autofreq 0, step(top, narrow ? 2 : 4)
    if (p == 1) {
        plot for [k = 1:shells] builds using (mine(k, 1e3 * column('spacing_mean_m'))):(k) with points ls 204
    } else {
        plot for [k = 1:shells] builds using (mine(k, column('spacing_deviation'))):(k) with points ls 205
    }
}
unset multiplot
