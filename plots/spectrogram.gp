# Noise of a force over time and frequency: what is left of it beside the ideal one, one panel a variant.
# quantities: force
# variants: *, at least 1
# needs: forces.csv
# each: spectrogram.csv
forces = run.'/forces.csv'
file(i) = run.'/'.scenario.'/'.word(files, i).'.spectrogram.csv'
ours(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) && column('own') == 1 ? x : NaN
last_s = 0
highest_hz = 0
loudest = -1e3
array noise[count]
do for [i = 1:count] {
    stats file(i) using (column('t_s')):(column('f_hz')) nooutput name 'place'
    stats file(i) using (column('f_hz') < 30 ? NaN : column('power_db')) nooutput name 'power'
    stats forces using (ours(i, column('force_noise_db'))) nooutput name 'all'
    last_s = larger(last_s, place_max_x)
    highest_hz = larger(highest_hz, place_max_y)
    loudest = larger(loudest, power_max)
    noise[i] = all_max
}
# Colours are for what counts as noise, from 30 Hz on: below, there is the motion itself.
hi = 10 * ceil(loudest / 10)
lo = hi - 80

# Panels in rows, each with its variant's name above it; the scale of colours below them all.
columns = narrow || count == 1 ? 1 : 2
rows = ceil(count / real(columns))
gap = 1.5 * letter
wide = (W - axis_left - margin - letter - (columns - 1) * (gap + axis_left)) / columns
letters = floor((wide + axis_left - letter) / (char * small))
entry_of(i) = wrap(sprintf('%s, noise %.1f dB', label(i), noise[i]), letters)
head_lines = 0
do for [i = 1:count] { head_lines = larger(head_lines, lines(entry_of(i))) }
high = narrow ? 80 : 105
row = high + pitch * head_lines + 2.8 * letter
below_panels = axis_below + 4 * letter
title = scenario.': noise of the force'
dummy = key('30 Hz: above it is what counts as noise', 'l102')
body = rows * row + below_panels - 1.5 * letter
load plots.'/frame.gp'

set multiplot
unset grid
set border 3
set xrange [0:last_s]
set yrange [0:highest_hz]
set xtics 0, step(last_s, narrow ? 5 : 6)
set ytics 0, step(highest_hz, 3)
set cbrange [lo:hi]
set cbtics lo, 20 font small_font scale 0.5 offset 0, format eq 'png' ? 0.4 : 0.7
# Dark is loud; told apart by the colour-blind and in grey.
set palette defined (0 '#FDE725', 1 '#5EC962', 2 '#21918C', 3 '#3B528B', 4 '#440154')
unset colorbox
do for [i = 1:count] {
    at_row = (i - 1) / columns
    at_column = (i - 1) % columns
    x0 = axis_left + at_column * (wide + gap + axis_left)
    x1 = x0 + wide
    y1 = body - at_row * row - pitch * head_lines - 0.5 * letter
    y0 = y1 - high
    x_name = i > count - columns ? 'time (s)' : ''
    y_name = at_column == 0 ? 'frequency (Hz)' : ''
    mark = ''
    load plots.'/panel.gp'
    entry = entry_of(i)
    do for [n = 1:lines(entry)] {
        part = line_of(entry, n)
        set label 100 + n part at screen sx(larger(margin, x0 - axis_left + letter)), sy(y1 + 0.8 * letter + pitch * (lines(entry) - n)) left font small_font
    }
    if (i == count) {
        set colorbox horizontal user origin screen sx(axis_left), screen sy(3.6 * letter) size screen sx(W - axis_left - margin - letter), screen sy(0.8 * letter) - sy(0)
        set label 10 'power beside that of the ideal force (dB)' at screen 0.5, sy(0.7 * letter) center
    }
    plot file(i) using (column('t_s')):(column('f_hz')):(column('power_db')) with image, \
         30 with lines ls 102
}
unset multiplot
