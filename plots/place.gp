# A panel at x0, x1, y0, y1, in points as sx() and sy() count: call place X_NAME Y_NAME MARK. The names of its axes may be '', and so
# may MARK, which is '(a)' where there are several panels. Set before: left_room, the room left of the panel for numbers or names.
if (!first_panel) { # what frame.gp has drawn with the first one is not drawn again
    unset label
    unset arrow
}
first_panel = 0
set lmargin at screen sx(x0)
set rmargin at screen sx(x1)
set bmargin at screen sy(y0)
set tmargin at screen sy(y1)
set label 1 ARG1 at screen sx((x0 + x1) / 2), sy(y0 - axis_below + 0.8 * letter) center
set label 2 ARG2 at screen sx(larger(0.8 * letter, x0 - left_room + 0.8 * letter)), sy((y0 + y1) / 2) center rotate
set label 3 ARG3 at screen sx(larger(margin, x0 - left_room + 0.5 * letter)), sy(y1 + 0.8 * letter) left
