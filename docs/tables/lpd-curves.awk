# lpd-curves.awk: what chaining and fitting meet, summed up over all frames: curves that are open, points at which they branch, regions of which
# the axis of least spread is not the shortest side of the box, and regions in which nothing is seen.
END {
    put_row("scenario|variant|frames|curves|open|branches|regions with a shorter side|blind regions")
    n_of = split("curves_count open_curves_count branches_count longer_boxes_count blind_regions_count", name)
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(count(cell(runs[r], scene[i], v[j], "frames_count")))
                for (k = 1; k <= n_of; k++) {
                    q = frame_values(runs[r], scene[i], v[j], name[k], values)
                    for (sum = 0; q > 0; q--) sum += values[q]
                    put(count(sum))
                }
                end()
            }
        }
    }
    print_table()
}
