# imp-recorded.awk: methods along recorded scenes: mean time and longest frame, times faster than the baseline, and how forces differ
# from the ideal ones: direction, and size once the best gain is taken.
END {
    put_row("scenario|variant|mean time|longest|times faster|direction off by, mean|size off by, mean|contacts")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(mean_text(runs[r], scene[i], v[j]))
                put(time(cell(runs[r], scene[i], v[j], "time_intrinsic_max_ns")))
                put(speedup_text(runs[r], scene[i], v[j]))
                put(degrees(cell(runs[r], scene[i], v[j], "force_direction_deg_mean")))
                put(percent(cell(runs[r], scene[i], v[j], "force_magnitude_rel_mean")))
                put(count(cell(runs[r], scene[i], v[j], "contacts_count_mean")))
                end()
            }
        }
    }
    print_table()
}
function degrees(x) { return x == "" ? "-" : digits(x) " deg" }
