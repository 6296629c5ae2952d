# lpd-clustering.awk: stage 1 against the number of segments, over all frames of a run: the exponent of a power of it with its
# interval, and segments a millisecond, at the median and in the slowest 5 % of frames.
END {
    put_row("variant|frames|segments|exponent (95 %)|segments a ms, median|5 % of frames below")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        n = m > 0 ? variants(runs[r], scene[1], "^lpd", v) : 0
        for (j = 1; j <= n; j++) {
            fit_power(runs[r], v[j], "segments_count", "stage_curves_ns", 20, fit)
            put(v[j])
            put(count(fit["frames"]))
            put(count(fit["few"]) " to " count(fit["many"]))
            put(fit["exponent"] == "" ? "-" : with_interval(sprintf("%.2f", fit["exponent"]), sprintf("%.2f", fit["lo"]), sprintf("%.2f", fit["hi"])))
            put(count(fit["rate"]))
            put(count(fit["slowest"]))
            end()
        }
    }
    print_table()
}
