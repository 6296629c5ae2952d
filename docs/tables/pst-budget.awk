# pst-budget.awk: traversals that end by a budget of lookups, or of time: what they used at most, how wrong they are, and how
# wide their brackets: in parts of the size, since a bracket that says little may be wider than the distance.

# Its value of a key, a number; "" of none.
function setting(variant, key) {
    if (!match(variant, "[:,]" key "=[0-9.]+")) return ""
    return substr(variant, RSTART + length(key) + 2, RLENGTH - length(key) - 2) + 0
}
END {
    put_row("scenario|variant|lookups at most|time above the deadline|mean time|longest|mean error|99th percentile|bracket: median width|99th percentile|broken|out of budget")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^pst", v)
            for (j = 1; j <= n; j++) {
                most = most_lookups(runs[r], scene[i], v[j])
                deadline = setting(v[j], "deadline-us")
                k = frame_sizes(runs[r], scene[i], v[j], "time_min_ns", times)
                put(scene[i])
                put(v[j])
                put(count(most))
                put(deadline == "" ? "-" : quantile(times, k, 1) > 1e3 * deadline ? time(quantile(times, k, 1) - 1e3 * deadline) : "none")
                put(mean_text(runs[r], scene[i], v[j]))
                put(time(cell(runs[r], scene[i], v[j], "time_intrinsic_max_ns")))
                put(error_text(cell(runs[r], scene[i], v[j], "distance_error_size_mean")))
                put(error_text(cell(runs[r], scene[i], v[j], "distance_error_size_p99")))
                k = frame_sizes(runs[r], scene[i], v[j], "distance_bracket_width_size", widths)
                put(error_text(quantile(widths, k, 0.5)))
                put(error_text(quantile(widths, k, 0.99)))
                put(count(cell(runs[r], scene[i], v[j], "violations_count")))
                put(count(cell(runs[r], scene[i], v[j], "budget_reached_count")))
                end()
            }
        }
    }
    print_table()
}
