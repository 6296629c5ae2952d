# pst-uniformity.awk: how evenly the moving body's points lie, and are shared out among clusters of leaves, beside the
# errors and times of queries: of a distance, in parts of it; of a force, of its direction, and its noise.
function told(name) { return built(runs[r], "moving", fact(runs[r], scene[i], "b"), v[j], name) }
END {
    put_row("scenario|variant|points|mean spacing|deviation|points of a cluster|deviation|radius|mean time|spheres|lookups of points|mean error|99th percentile")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^pst", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(count(told("points_count")))
                put(told("spacing_mean_m") == "" ? "-" : digits(1e3 * told("spacing_mean_m")) " mm")
                put(percent(told("spacing_deviation")))
                put(digits(told("cluster_points_mean")))
                put(percent(told("cluster_points_deviation")))
                put(digits(told("cluster_radius_spacings")))
                put(mean_text(runs[r], scene[i], v[j]))
                put(count(tests(runs[r], scene[i], v[j])))
                put(count(cell(runs[r], scene[i], v[j], "points_count_mean")))
                if (cell(runs[r], scene[i], v[j], "quantity") == "force") {
                    put(digits(force(runs[r], scene[i], v[j], "force_direction_deg_mean")) " deg")
                    put(digits(force(runs[r], scene[i], v[j], "force_direction_deg_p95")) " deg (95th)")
                } else {
                    k = frame_sizes(runs[r], scene[i], v[j], "distance_error_rel", errors)
                    put(error_text(cell(runs[r], scene[i], v[j], "distance_error_rel_mean")))
                    put(error_text(quantile(errors, k, 0.99)))
                }
                end()
            }
        }
    }
    print_table()
}
