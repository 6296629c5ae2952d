# The curves of a deadline profile, as a text, `profile`: the share of frames answered within a time and within a tolerance, with a
# marker at each fifth of the frames, and at the end. Exact methods that no second method judged are curves of their times. Variants
# that never answer within the tolerance have no curve. Set before: within, the column of deadline.csv. After it, also
#   shares[i]  the largest share of variant i
array shares[count]
array last_times[count]
time_of(i) = strcol('quantity') eq quantity ? mine(i, spent('time_ns')) : NaN
last = 0
marked(share, is_last) = (is_next = is_last || int(5 * share) > int(5 * last), last = share, is_next ? share : -1)
profile = ''
do for [i = 1:count] {
    if (judged(i)) {
        eval found("table('deadline')", "time_of(i)")
        last_times[i] = found_max
        eval found("table('deadline')", "time_of(i) > 0 ? column(within) : NaN")
        shares[i] = found_max
        drawn = sprintf(", table('deadline') using (time_of(%d)):(column(within)) with steps ls %d, \
            table('deadline') using (time_of(%d)):(marked(column(within), time_of(%d) == last_times[%d])) with points ls %d", i, i, i, i, i, i)
    } else {
        stats file(i) using (spent('time_median_ns')) nooutput
        last_times[i] = STATS_max
        shares[i] = 1
        drawn = sprintf(", file(%d) using (spent('time_median_ns')):(1) smooth cnormal with steps ls %d, \
            '+' using (last_times[%d]):(1) every ::0::0 with points ls %d", i, i, i, i)
    }
    if (shares[i] > 0) { profile = profile.drawn }
}
profile = profile[3:*]
