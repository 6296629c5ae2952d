# laws.awk: forces against the exact forces (forces.csv): a row for each variant and scenario, against the ideal of the variant's own
# law; a variant without a law has a row for each law. The goal is force_goal() of runs.awk.
function metric(name) { return force_by(runs[r], scene[i], v[j], ideals[k], name) }
function lawless() { return fact(runs[r], "variant " v[j], "force_law") == "none" }
END {
    split("area depth depth-exchanged", ideals, " ")
    put_row("scenario|variant|law|direction: median|95 %|99 %|size|torque: median|99 %|frames|goal")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                for (k = 1; k <= 3; k++) {
                    if (metric("force_direction_deg_p50") == "" || !(lawless() || metric("own") == "1" || v[j] == "exact-depth-force")) continue
                    put(scene[i])
                    put(v[j])
                    put((lawless() ? "(none) " : "") ideals[k])
                    put(digits(metric("force_direction_deg_p50")))
                    put(digits(metric("force_direction_deg_p95")))
                    put(digits(metric("force_direction_deg_p99")))
                    put(percent(metric("force_magnitude_rel_mean")))
                    put(digits(metric("torque_direction_deg_p50")))
                    put(digits(metric("torque_direction_deg_p99")))
                    put(metric("force_frames_count"))
                    put(v[j] ~ /^exact/ ? "" : force_goal(runs[r], scene[i], v[j], ideals[k]) ? "met" : "no")
                    end()
                }
            }
        }
    }
    print_table()
}
