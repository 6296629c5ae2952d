# directions.awk: medians over frames of the angle to the exact force and torque, with their 95 % intervals.
function median(name) {
    return with_interval(digits(cell(runs[r], scene[i], v[j], name "_p50")), digits(cell(runs[r], scene[i], v[j], name "_p50_lo")), digits(cell(runs[r], scene[i], v[j], name "_p50_hi")))
}
END {
    put_row("scenario|variant|force, degrees|torque, degrees")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(median("force_direction_deg"))
                put(median("torque_direction_deg"))
                end()
            }
        }
    }
    print_table()
}
