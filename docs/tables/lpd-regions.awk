# lpd-regions.awk: regions, each judged inside of its own window: how much of the intersection volume there is left when B has moved by its
# way, and its depth beside the exact one along it there (depths: how many there are).
END {
    put_row("scenario|variant|frames|most regions|regions|judged|separated|depths|depth / exact in the window, median|at most 1.1 times|open")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                g = regions_of(runs[r], scene[i], v[j])
                if (rows[g] == 0) continue
                judged = separated = near = k = open = most = 0
                split("", values)
                for (q = 1; q <= rows[g]; q++) {
                    open += field[g, q, "loop"] == 0
                    if (field[g, q, "region"] + 1 > most) most = field[g, q, "region"] + 1
                    if (field[g, q, "needed_rel"] != "") values[++k] = 1 + field[g, q, "needed_rel"]
                    if (field[g, q, "left_rel"] == "") continue
                    judged++
                    separated += field[g, q, "left_rel"] < 0.01
                }
                sort_values(values, sorted)
                for (q = 1; q <= k; q++) near += sorted[q] <= 1.1
                put(scene[i])
                put(v[j])
                put(count(cell(runs[r], scene[i], v[j], "frames_count")))
                put(most)
                put(count(rows[g]))
                put(count(judged))
                put(judged > 0 ? share_text(separated / judged) : "-")
                put(count(k))
                put(k > 0 ? digits(quantile(sorted, k, 0.5)) : "-")
                put(k > 0 ? share_text(near / k) : "-")
                put(count(open))
                end()
            }
        }
    }
    print_table()
}
