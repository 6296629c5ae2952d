# imp-contacts.awk: what 1000 contacts take: of the frames with 800 to 1250 contacts how many there are, their median time (each frame's
# is its median over passes) and that which 95 % of them do not exceed, and tests; then contacts and time of all frames together.
END {
    put_row("scenario|variant|frames with about 1,000|median time|95 %|tests, median|contacts a frame, mean|most|mean time|times faster")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^imp", v)
            for (j = 1; j <= n; j++) {
                k = near_thousand(runs[r], scene[i], v[j], "time_median_ns", times)
                near_thousand(runs[r], scene[i], v[j], "tests_count", tests_of)
                put(scene[i])
                put(v[j])
                put(count(k))
                put(time(quantile(times, k, 0.5)))
                put(time(quantile(times, k, 0.95)))
                put(count(quantile(tests_of, k, 0.5)))
                put(count(cell(runs[r], scene[i], v[j], "contacts_count_mean")))
                put(count(most_contacts(runs[r], scene[i], v[j])))
                put(time(cell(runs[r], scene[i], v[j], "time_mean_ns")))
                put(speedup_text(runs[r], scene[i], v[j]))
                end()
            }
        }
    }
    print_table()
}
