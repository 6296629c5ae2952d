# pst-walks.awk: the tree of points against the flat pointshell, frame by frame: the time of flat / that of the tree (medians over
# passes), over frames and of the whole path with its interval over launches; contacts; frames in which contacts, depth,
# force or torque differ in any digit.

END {
    put_row("scenario|flat variant|points|flat / tree, least|median|largest|of the path|contacts, mean|most|frames that differ")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^pst:.*walk=flat", v)
            for (j = 1; j <= n; j++) {
                a = frames_of(runs[r], scene[i], v[j])
                b = frames_of(runs[r], scene[i], walks_partner(v[j]))
                split("", each)
                split("", sorted)
                sum = most = 0
                for (f = 1; f <= rows[a]; f++) {
                    if (field[b, f, "time_median_ns"] > 0) each[f] = field[a, f, "time_median_ns"] / field[b, f, "time_median_ns"]
                    sum += field[b, f, "contacts_count"]
                    if (field[b, f, "contacts_count"] > most) most = field[b, f, "contacts_count"]
                }
                k = sort_values(each, sorted)
                put(scene[i])
                put(v[j])
                put(count(cell(runs[r], scene[i], v[j], "primitives_b_count")))
                put(digits(sorted[1]))
                put(digits(median_of(sorted, k)))
                put(digits(sorted[k]))
                put(walks_partner(v[j]) == baseline(runs[r], scene[i]) ? ratio_text(runs[r], scene[i], v[j]) : "-")
                put(rows[b] > 0 ? digits(sum / rows[b]) : "-")
                put(count(most))
                put(frames_that_differ(runs[r], scene[i], v[j]))
                end()
            }
        }
    }
    print_table()
}
