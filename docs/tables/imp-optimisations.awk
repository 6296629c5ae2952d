# imp-optimisations.awk: what each optimisation saves, beside the baseline, which has none: tests of two balls, time with its
# interval over launches, and in how many frames contacts or depth are others than the baseline's.
END {
    put_row("scenario|variant|tests / baseline's|nodes / baseline's|times faster|frames that differ")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            base = baseline(runs[r], scene[i])
            n = variants(runs[r], scene[i], "^imp", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(relative(runs[r], scene[i], v[j], base, "tests_count_mean"))
                put(relative(runs[r], scene[i], v[j], base, "nodes_count_mean"))
                put(speedup_text(runs[r], scene[i], v[j]))
                put(count(contacts_that_differ(runs[r], scene[i], v[j], base)))
                end()
            }
        }
    }
    print_table()
}
function relative(run, scenario, variant, base, column,    x, y) {
    x = cell(run, scenario, variant, column)
    y = cell(run, scenario, base, column)
    return x == "" || y + 0 == 0 ? "-" : digits(x / y)
}
