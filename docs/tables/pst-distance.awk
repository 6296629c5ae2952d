# pst-distance.awk: contestants that answer distances: how fast, warm and with evicted caches, and against the baseline; how
# wrong, in parts of the true distance, where it is at least 0.5 % of the size; and how wide brackets of their own are.
END {
    put_row("scenario|variant|mean time|evicted, median|times faster|evicted|mean error|median|99th percentile|largest|frames off by 1 %|bracket: median width|broken")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                k = frame_sizes(runs[r], scene[i], v[j], "distance_error_rel", errors)
                w = frame_sizes(runs[r], scene[i], v[j], "distance_bracket_width_rel", widths)
                put(scene[i])
                put(v[j])
                put(mean_text(runs[r], scene[i], v[j]))
                put(time(cell(runs[r], scene[i], v[j], "time_evicted_p50_ns")))
                put(speedup_text(runs[r], scene[i], v[j]))
                put(speedup_evicted_text(runs[r], scene[i], v[j]))
                put(error_text(cell(runs[r], scene[i], v[j], "distance_error_rel_mean")))
                put(error_text(quantile(errors, k, 0.5)))
                put(error_text(quantile(errors, k, 0.99)))
                put(error_text(quantile(errors, k, 1)))
                put(percent(share_above(errors, k, 0.01)))
                put(error_text(quantile(widths, w, 0.5)))
                put(count(cell(runs[r], scene[i], v[j], "violations_count")))
                end()
            }
        }
    }
    print_table()
}
