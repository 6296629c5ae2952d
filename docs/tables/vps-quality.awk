# vps-quality.awk: what generators make of the bodies of runs: voxels of the surface against the exact reference, voxels inside,
# points and their distances to the next one.
END {
    put_row("body|variant|surface voxels|missing|in excess|inner voxels|points|mean spacing|least|deviation")
    for (r = 1; r <= runs_count; r++) {
        m = bodies(runs[r], "fixed", "", body)
        for (i = 1; i <= m; i++) {
            n = builders(runs[r], "fixed", body[i], "^vps", v)
            for (j = 1; j <= n; j++) {
                put(body[i])
                put(v[j])
                put(count(built(runs[r], "fixed", body[i], v[j], "surface_voxels_count")))
                put(count(built(runs[r], "fixed", body[i], v[j], "missing_voxels_count")))
                put(count(built(runs[r], "fixed", body[i], v[j], "excess_voxels_count")))
                put(count(built(runs[r], "fixed", body[i], v[j], "inner_voxels_count")))
                put(count(built(runs[r], "moving", body[i], v[j], "points_count")))
                spacing = built(runs[r], "moving", body[i], v[j], "spacing_mean_m")
                put(spacing == "" ? "-" : digits(1e3 * spacing) " mm")
                spacing = built(runs[r], "moving", body[i], v[j], "spacing_min_m")
                put(spacing == "" ? "-" : digits(1e3 * spacing) " mm")
                put(percent(built(runs[r], "moving", body[i], v[j], "spacing_deviation")))
                end()
            }
        }
    }
    print_table()
}
