# Declares a panel: call panel X_NAME X_AXIS Y_NAME Y_AXIS CURVES [LINES]. The names stand beside the axes; CURVES is what
# `plot` draws, as a text, and LINES functions of x, which say nothing about the length of the axes. An axis is
#   log [FORMAT]  logarithmic, from the least value to the largest; FORMAT is '%g' unless it is given
#   time           logarithmic, in seconds
#   count          logarithmic, with 10k for 10000
#   linear         from 0, or from the least value if it is below
#   frames         the same, without room behind the last
#   share          a share of 0 to 1, in percent
#   rows           the variants, from top to bottom: variant i is at height i (y only)
# Set before, for this panel only:
#   x_holds, y_holds  numbers that the axis holds, too; gnuplot reads them only with a decimal point
#   x_ends, y_ends    "LEAST LARGEST", between which the axis is instead
#   name_above        a text above the panel, in the place of its letter
#   before            commands before `plot`, such as upright()
panels = panels + 1
x_names[panels] = ARG1
x_axes[panels] = ARG2
y_names[panels] = ARG3
y_axes[panels] = ARG4
curves[panels] = ARG5.(ARGC > 5 ? ', '.ARG6 : '')
befores[panels] = before
names_above[panels] = name_above

# gnuplot finds the least and largest values of the curves, where nothing is drawn. Of an axis without ends it warns if they are equal.
set terminal dumb
set output '/dev/null'
unset logscale
set xrange [-1e30:1e30]
set yrange [-1e30:1e30]
if (is_log(ARG2)) {
    set logscale x
    set xrange [1e-30:1e30]
}
if (is_log(ARG4)) {
    set logscale y
    set yrange [1e-30:1e30]
}
p = panels
eval 'plot '.ARG5
set output
unset logscale
set xrange [*:*] # `stats` leaves out what lies outside
set yrange [*:*]
x_beyond = is_log(ARG2) ? 1.05 : 1
y_beyond = is_log(ARG4) ? 1.1 : 1
x_lo[p] = x_ends ne '' ? real(word(x_ends, 1)) : GPVAL_DATA_X_MIN / x_beyond
x_hi[p] = x_ends ne '' ? real(word(x_ends, 2)) : GPVAL_DATA_X_MAX * x_beyond
y_lo[p] = y_ends ne '' ? real(word(y_ends, 1)) : GPVAL_DATA_Y_MIN / y_beyond
y_hi[p] = y_ends ne '' ? real(word(y_ends, 2)) : GPVAL_DATA_Y_MAX * y_beyond
do for [value in x_holds] {
    x_lo[p] = smaller(real(value), x_lo[p])
    x_hi[p] = larger(real(value), x_hi[p])
}
do for [value in y_holds] {
    y_lo[p] = smaller(real(value), y_lo[p])
    y_hi[p] = larger(real(value), y_hi[p])
}
do for [name in of_one_panel] { eval name." = ''" }
