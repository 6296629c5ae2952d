# Deadline profile: the share of frames answered within a time and within the scenario's tolerance. Exact methods that no second
# method judged count as exact.
# figure: deadline
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: deadline.csv
# draws: unjudged
# shows: fraction_within_tolerance
within = 'fraction_within_tolerance'
load plots.'/profile.gp'
tolerance = ''
take_tolerance(text) = (tolerance = tolerance eq '' ? text : tolerance, 1)
stats table('deadline') using (here(1) == 1 && strcol('quantity') eq quantity ? take_tolerance(strcol('tolerance')) : 0) nooutput
title = scenario.': '.quantity.(quantity eq 'contact' ? ' answered in time with the right verdict' : ' answered in time and within '.tolerance)
zeros = ''
rest = ''
do for [i = 1:count] {
    if (shares[i] == 0) { zeros = and(zeros, label(i)) } else { rest = and(rest, label(i)) }
}
if (zeros ne '') { remark = '0 %: '.(strlen(zeros) > strlen(rest) + 8 ? 'all but '.rest : zeros) }
if (others > 0) { remark = remark.(remark eq '' ? '' : '; ').'not judged: counted as exact by contract' }
keys = 'linespoints'
head_room = 3 * letter
# Behind the slowest frame a curve stays where it is. At 100 % this would hide others.
before = "load plots.'/loops.gp'; \
    do for [i = 1:count] { if (last_times[i] < hi && shares[i] > 0 && shares[i] < 1) { set arrow i from last_times[i], shares[i] to hi, shares[i] nohead ls i } }"
call panel 'time per frame' 'time' 'share of frames (%)' 'share' profile
# The loop of 1 ms is in view, unless all frames take far less.
if (x_hi[1] > 5e-5) { x_hi[1] = larger(x_hi[1], 2e-3) }
