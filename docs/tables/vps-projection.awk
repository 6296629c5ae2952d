# vps-projection.awk: KKT against Voronoi regions, by body: time of the projections alone, and the largest difference
# of a projection to its refinement, of the longest edge of the triangle.
END {
    put_row("body|points|KKT|Voronoi|KKT / Voronoi|raw error: KKT|Voronoi")
    for (r = 1; r <= runs_count; r++) {
        m = bodies(runs[r], "moving", "", body)
        for (i = 1; i <= m; i++) {
            n = builders(runs[r], "moving", body[i], "projection=voronoi", v)
            for (j = 1; j <= n; j++) {
                other = v[j]
                sub(/projection=voronoi,?/, "", other)
                sub(/:$/, "", other)
                build_ratio(runs[r], "moving", body[i], other, v[j], "stage_project_ns", both)
                put(body[i])
                put(count(built(runs[r], "moving", body[i], v[j], "points_count")))
                put(time(stage(runs[r], "moving", body[i], other, "stage_project_ns")))
                put(time(stage(runs[r], "moving", body[i], v[j], "stage_project_ns")))
                put(triple(both))
                put(sprintf("%.1e", built(runs[r], "moving", body[i], other, "projection_error_rel")))
                put(sprintf("%.1e", built(runs[r], "moving", body[i], v[j], "projection_error_rel")))
                end()
            }
        }
    }
    print_table()
}
