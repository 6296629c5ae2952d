# ratios.awk: contestants of runs against the baselines of their scenarios: times, with the joint interval of the
# scenario and what the baseline shows against itself (A/A); work; errors; what the build takes.
function relative(x, y) { return x == "" || y == "" || y + 0 == 0 ? "-" : digits(x / y) }
END {
    put_row("scenario|variant|time / baseline's|A/A|tests / baseline's|mean error|hierarchy built in|verdict")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            base = baseline(runs[r], scene[i])
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                kind = cell(runs[r], scene[i], v[j], "quantity") == "volume" ? "volume_error_rel" : "distance_error_size"
                put(scene[i])
                put(v[j])
                put(ratio_text(runs[r], scene[i], v[j]))
                put(v[j] == base ? "" : digits(ratio(runs[r], scene[i], v[j], "aa_lo")) " to " digits(ratio(runs[r], scene[i], v[j], "aa_hi")))
                put(relative(tests(runs[r], scene[i], v[j]), tests(runs[r], scene[i], base)))
                put(error_text(cell(runs[r], scene[i], v[j], kind "_mean")))
                put(time(tree_time(runs[r], scene[i], v[j])))
                put(v[j] == base ? "baseline" : ratio(runs[r], scene[i], v[j], "verdict"))
                end()
            }
        }
    }
    print_table()
}
