# rates.awk: points that a query transforms, and how many in a millisecond: warm, with the interval of the mean time, and with
# evicted caches (of the median frame).
function rate(points, ns) { return points == "" || ns == "" || ns + 0 == 0 ? "" : points / ns * 1e6 }
END {
    put_row("scenario|variant|points|voxels|memory|mean time|points in 1 ms, warm|evicted|contacts")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                points = cell(runs[r], scene[i], v[j], "points_count_mean")
                if (points == "") continue
                mean_interval(runs[r], scene[i], v[j], 0.05, mean)
                put(scene[i])
                put(v[j])
                put(count(points))
                put(count(built(runs[r], "fixed", fact(runs[r], scene[i], "a"), v[j], "voxels_count")))
                put(bytes(built(runs[r], "fixed", fact(runs[r], scene[i], "a"), v[j], "bytes")))
                put(mean_text(runs[r], scene[i], v[j]))
                put(with_interval(count(rate(points, cell(runs[r], scene[i], v[j], "time_mean_ns"))), mean["hi"] == "" ? "-" : count(rate(points, mean["hi"])), mean["lo"] == "" ? "-" : count(rate(points, mean["lo"]))))
                put(count(rate(points, cell(runs[r], scene[i], v[j], "time_evicted_p50_ns"))))
                put(count(cell(runs[r], scene[i], v[j], "contacts_count_mean")))
                end()
            }
        }
    }
    print_table()
}
