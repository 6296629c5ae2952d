# brackets.awk: answers that come with a bracket of their own: how fast, how wrong, how narrow. Errors and widths
# are parts of the true volume.
END {
    put_row("scenario|variant|mean time|longest|mean error|99th percentile|median width|largest width|frames out of budget")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                if (cell(runs[r], scene[i], v[j], "volume_bracket_width_rel_p50") == "") continue
                put(scene[i])
                put(v[j])
                put(mean_text(runs[r], scene[i], v[j]))
                put(time(cell(runs[r], scene[i], v[j], "time_intrinsic_max_ns")))
                put(percent(cell(runs[r], scene[i], v[j], "volume_error_rel_mean")))
                put(percent(cell(runs[r], scene[i], v[j], "volume_error_rel_p99")))
                put(percent(cell(runs[r], scene[i], v[j], "volume_bracket_width_rel_p50")))
                put(percent(cell(runs[r], scene[i], v[j], "volume_bracket_width_rel_max")))
                put(count(cell(runs[r], scene[i], v[j], "budget_reached_count")))
                end()
            }
        }
    }
    print_table()
}
