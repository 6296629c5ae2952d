# lpd-sweep.awk: what a parameter does: curves and regions a frame, tests of ends, stage 1 and stage 3 at the median, the depth beside the
# exact one along its direction, and the time of a query.
END {
    put_row("scenario|variant|curves, mean|regions, mean|tests of ends, mean|stage 1|stage 3|depth error, median|99 %|query, mean|times faster")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                k = stage_times(runs[r], scene[i], v[j], 1, 1e9, t)
                put(scene[i])
                put(v[j])
                put(digits(cell(runs[r], scene[i], v[j], "curves_count_mean")))
                q = frame_values(runs[r], scene[i], v[j], "regions_count", values)
                for (sum = 0; q > 0; q--) sum += values[q]
                q = frame_values(runs[r], scene[i], v[j], "regions_count", values)
                put(q > 0 ? digits(sum / q) : "-")
                put(count(cell(runs[r], scene[i], v[j], "tests_count_mean")))
                put(time(stage_quantile(t, k, "curves", 0.5)))
                put(time(stage_quantile(t, k, "depths", 0.5)))
                put(error_text(cell(runs[r], scene[i], v[j], "depth_local_rel_p50")))
                put(error_text(cell(runs[r], scene[i], v[j], "depth_local_rel_p99")))
                put(time(cell(runs[r], scene[i], v[j], "time_mean_ns")))
                put(speedup_text(runs[r], scene[i], v[j]))
                end()
            }
        }
    }
    print_table()
}
