# thin-bodies.awk: mean errors of volumes by body, of scenarios HALF/BODY, in the order of how many spheres of at least a voxel's
# edge fit into a body (those of radius=centroid).
function error_of(pattern,    v, n) {
    n = variants(run_now, body[i], pattern, v)
    return n > 0 ? error_text(cell(run_now, body[i], v[1], "volume_error_rel_mean")) : "-"
}
END {
    put_row("half/body|spheres that fit|the paper's packing|centroids|shares|bounds")
    for (r = 1; r <= runs_count; r++) {
        run_now = runs[r]
        m = scenarios(run_now, "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(run_now, scene[i], "radius=centroid", v)
            fit = n > 0 ? cell(run_now, scene[i], v[1], "primitives_a_count") : 0
            for (j = i; j > 1 && fits[j - 1] > fit; j--) {
                fits[j] = fits[j - 1]
                body[j] = body[j - 1]
            }
            fits[j] = fit
            body[j] = scene[i]
        }
        for (i = 1; i <= m; i++) {
            put(body[i])
            put(count(fits[i]))
            put(error_of("^ist(:voxels=[0-9]+)?$"))
            put(error_of("radius=centroid"))
            put(error_of("radius=shares"))
            put(error_of("^bounds"))
            end()
        }
    }
    print_table()
}
