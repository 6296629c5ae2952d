# Draws the panels that a figure has declared (panel.gp), in rows. The figure may set
#   layout   the widths of the panels of a row beside each other, rows separated by '/': '2 1 1' or '1 / 1 1'; else panels stand
#            beside each other on a screen, and below each other in a column of a paper
#   heights  of the panels of each row, in points
#   head_room  the room above a panel, in points; foot_room, that below the last row
#   high     the height of a panel in rows that `heights` does not name
# A panel without a name of its x axis has no numbers there, since the panel below has them.
if (layout eq '') {
    layout = '1'
    do for [p = 2:panels] { layout = layout.(narrow || p % 2 == 1 ? ' / 1' : ' 1') }
}
high = high > 0 ? high : panels > 2 ? (narrow ? 100 : 150) : panels > 1 ? (narrow ? 105 : 185) : narrow ? 120 : 235

# The names of variants stand left of the first panel of their row.
row_letters = narrow ? 22 : 30
row_longest = 1
row_lines = 1
do for [k = 1:words(row_variants)] {
    row_lines = larger(row_lines, lines(wrap(row_label(k), row_letters)))
    row_longest = larger(row_longest, longest(wrap(row_label(k), row_letters)))
}
rows_high = words(row_variants) * (pitch * row_lines + 1.2 * letter)
names_wide = margin + char * small * row_longest + 1.6 * letter

# Where each panel stands: its row, its place there, and the room left of it; the weights and the rooms of a row.
array in_row[panels]
array weight_of[panels]
array left_of[panels]
array row_weight[panels]
array row_taken[panels]
array row_high[panels]
array row_foot[panels]
rows = 1
begins = 1
p = 0
do for [entry in layout] {
    if (entry eq '/') {
        rows = rows + 1
        begins = 1
    } else {
        p = p + 1
        is_rows = y_axes[p] eq 'rows'
        in_row[p] = rows
        weight_of[p] = real(entry)
        left_of[p] = !is_rows ? axis_left : begins ? names_wide : 2 * letter
        row_weight[rows] = begins ? weight_of[p] : row_weight[rows] + weight_of[p]
        row_taken[rows] = (begins ? 0 : row_taken[rows]) + left_of[p] + 2 * letter
        row_high[rows] = is_rows ? rows_high : words(heights) >= rows ? real(word(heights, rows)) : high
        row_foot[rows] = x_names[p] eq '' ? letter : axis_below
        begins = 0
    }
}
lines_above = 0
do for [p = 1:panels] { lines_above = larger(lines_above, lines(names_above[p])) }
head_room = head_room > 0 ? head_room : lines_above > 0 ? pitch * lines_above + 1.3 * letter : panels > 1 ? 2 * letter : letter
body = foot_room
do for [r = 1:rows] { body = body + head_room + row_high[r] + row_foot[r] }
load plots.'/frame.gp'

set multiplot
x1 = 0
y1 = 0
y0 = body
do for [p = 1:panels] {
    is_first = p == 1 || in_row[p] > in_row[larger(1, p - 1)]
    y1 = is_first ? y0 - head_room - (p > 1 ? row_foot[in_row[p] - 1] : 0) : y1
    y0 = y1 - row_high[in_row[p]]
    x0 = (is_first ? 0 : x1 + 2 * letter) + left_of[p]
    x1 = x0 + (W - row_taken[in_row[p]]) * weight_of[p] / row_weight[in_row[p]]
    left_room = left_of[p]
    call plots.'/place.gp' (x_names[p]) (y_names[p]) (panels > 1 && lines_above == 0 ? sprintf('(%c)', 96 + p) : '')
    do for [n = 1:lines(names_above[p])] {
        part = line_of(names_above[p], n)
        level_of_line = y1 + 1.1 * letter + pitch * (lines(names_above[p]) - n)
        set label 80 + n part at screen sx(x0 - left_room + letter), sy(level_of_line) left font small_font
    }
    call axis 'y' (y_axes[p]) (y_lo[p]) (y_hi[p])
    do for [k = 1:y_axes[p] eq 'rows' && is_first ? words(row_variants) : 0] {
        entry = wrap(row_label(k), row_letters)
        middle = y1 - (k - 0.5) * row_high[in_row[p]] / words(row_variants) + 0.5 * pitch * (lines(entry) - 1)
        do for [n = 1:lines(entry)] {
            part = line_of(entry, n)
            set label 100 + 20 * k + n part at screen sx(x0 - 0.8 * letter), sy(middle - pitch * (n - 1)) right font small_font
        }
    }
    call axis 'x' (x_axes[p]) (x_lo[p]) (x_hi[p])
    if (x_names[p] eq '') { set format x '' }
    eval befores[p]
    eval 'plot '.curves[p]
}
unset multiplot
