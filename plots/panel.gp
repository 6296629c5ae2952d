# A panel and the names of its axes. Set before: x0, x1, y0, y1, its sides in points as sx() and sy()
# count; x_name, y_name ('' for none); mark, '(a)' where there are several, else ''.
if (!first_panel) { # what frame.gp has drawn with the first one is not drawn again
    unset label
    unset arrow
}
first_panel = 0
set lmargin at screen sx(x0)
set rmargin at screen sx(x1)
set bmargin at screen sy(y0)
set tmargin at screen sy(y1)
set label 1 x_name at screen sx((x0 + x1) / 2), sy(y0 - axis_below + 0.8 * letter) center
set label 2 y_name at screen sx(larger(0.8 * letter, x0 - axis_left + 0.8 * letter)), sy((y0 + y1) / 2) center rotate
set label 3 mark at screen sx(larger(margin, x0 - axis_left + 0.5 * letter)), sy(y1 + 0.8 * letter) left
