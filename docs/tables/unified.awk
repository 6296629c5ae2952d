# unified.awk: one query for distance and volume against one for each, of scenarios NAME/distance, NAME/volume and
# NAME/unified: tests of balls a frame, mean times, and the time of both / the sum of the two, whose interval
# is made of those of the three, which hold together with 95 %.
END {
    put_row("scenario|variant|tests: distance|volume|both|mean time: distance|volume|both|both / the two")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "/unified$", scene)
        for (i = 1; i <= m; i++) {
            base = substr(scene[i], 1, length(scene[i]) - length("/unified"))
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                unified_ratio(runs[r], base, v[j], both)
                put(base)
                put(v[j])
                put(count(tests(runs[r], base "/distance", v[j])))
                put(count(tests(runs[r], base "/volume", v[j])))
                put(count(tests(runs[r], base "/unified", v[j])))
                put(time(cell(runs[r], base "/distance", v[j], "time_mean_ns")))
                put(time(cell(runs[r], base "/volume", v[j], "time_mean_ns")))
                put(time(cell(runs[r], base "/unified", v[j], "time_mean_ns")))
                put(with_interval(digits(both["ratio"]), digits(both["lo"]), digits(both["hi"])))
                end()
            }
        }
    }
    print_table()
}
