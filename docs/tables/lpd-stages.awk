# lpd-stages.awk: what the stages take, frame by frame: medians, and what 95 % of the frames do not exceed of stages 1 to 3 together; pairs
# of triangles are found before them.
END {
    put_row("scenario|variant|frames|segments, median|pairs|stage 1|stage 2|stage 3|stages 1 to 3|95 %|worst stage 2")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                k = stage_times(runs[r], scene[i], v[j], 1, 1e9, t)
                put(scene[i])
                put(v[j])
                put(count(k))
                put(count(stage_quantile(t, k, "segments", 0.5)))
                put(time(stage_quantile(t, k, "pairs", 0.5)))
                put(time(stage_quantile(t, k, "curves", 0.5)))
                put(time(stage_quantile(t, k, "boxes", 0.5)))
                put(time(stage_quantile(t, k, "depths", 0.5)))
                put(time(stage_quantile(t, k, "all", 0.5)))
                put(time(stage_quantile(t, k, "all", 0.95)))
                put(time(stage_quantile(t, k, "boxes", 1)))
                end()
            }
        }
    }
    print_table()
}
