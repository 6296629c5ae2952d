# forces.awk: forces along paths on which the ideal one is known (forces.csv), against the ideal of each variant's own law:
# errors of size, of the largest; of direction in degrees; noise from 30 to 500 Hz against the ideal force.
function metric(name) { return force(runs[r], scene[i], v[j], name) }
function pair(of) {
    put(percent(metric(of "_magnitude_rel_mean")))
    put(percent(metric(of "_magnitude_rel_max")))
    put(digits(metric(of "_direction_deg_mean")))
    put(digits(metric(of "_direction_deg_max")))
}
END {
    put_row("scenario|variant|law|force: size|largest|angle|largest|torque: size|largest|angle|largest|noise|misses")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                put(scene[i])
                put(v[j])
                put(metric("ideal"))
                pair("force")
                pair("torque")
                put(metric("force_noise_db") == "" ? "-" : digits(metric("force_noise_db")) " dB")
                put(metric("force_misses_count") == "" ? "-" : metric("force_misses_count"))
                end()
            }
        }
    }
    print_table()
}
