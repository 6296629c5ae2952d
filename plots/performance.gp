# Performance profile (Dolan2002): the share of scenarios in which a variant is within the tolerance, and its time is at
# most a factor of that of the fastest variant within the tolerance. A curve ends at the share of scenarios that the variant
# answers within the tolerance at all. A variant that answers no scenario within the tolerance has no curve.
# figure: performance
# quantities: distance volume contact depth force
# variants: *, at least 2
# needs: pareto.csv
# over: scenarios
# shows: best_share
any(x) = strcol('quantity') eq quantity ? x : NaN
own(i, x) = strcol('file') eq word(files, i) ? any(x) : NaN
title = quantity.': share of scenarios answered within the tolerance, and within a factor of the fastest time'
keys = 'linespoints'
drawn = ''
array reached[count] # the largest share of variant i, and the ratio there
array farthest[count]
do for [i = 1:count] {
    eval found("table('pareto')", "own(i, column('best_share'))")
    reached[i] = found_max
    eval found("table('pareto')", "own(i, column('best_ratio'))")
    farthest[i] = found_max
    point = sprintf("table('pareto') using (own(%d, column('best_ratio'))):(column('best_share'))", i)
    drawn = drawn.', '.point.sprintf(' smooth unique with steps ls %d, ', i).point.sprintf(' with points ls %d', i)
}
# Behind the slowest scenario a curve stays where it is.
before = "do for [i = 1:count] { if (farthest[i] < hi) { set arrow i from farthest[i], reached[i] to hi, reached[i] nohead ls i } }"
call panel 'time / time of the fastest' 'log' 'share of scenarios (%)' 'share' (drawn[3:*])
x_hi[1] = larger(x_hi[1], 3.0)
x_lo[1] = 1.0
