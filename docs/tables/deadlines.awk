# deadlines.awk: the share of frames, of all warm passes, that are answered within the deadlines of haptic loops.
function answered(column) { return share_text(within(runs[r], scene[i], v[j], column)) }
END {
    put_row("scenario|variant|within 5 ms|1 ms|0.2 ms|0.1 ms|longest|with interruptions")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(answered("misses_5ms_count"))
                put(answered("misses_1ms_count"))
                put(answered("misses_200us_count"))
                put(answered("misses_100us_count"))
                put(time(cell(runs[r], scene[i], v[j], "time_intrinsic_max_ns")))
                put(time(cell(runs[r], scene[i], v[j], "time_max_ns")))
                end()
            }
        }
    }
    print_table()
}
