# law-goals.awk: in how many scenarios each variant's force is within the goal (force_goal() of runs.awk), against its own law, or against the
# area where it has none; and its largest median and 99th percentile of the direction over the scenarios that are not cad/...
END {
    put_row("variant|law|organic: met|largest median|largest 99 %|cad: met")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        n = variants(runs[r], scene[1], "", v)
        for (j = 1; j <= n; j++) {
            law = fact(runs[r], "variant " v[j], "force_law")
            if (v[j] ~ /^exact/) continue
            ideal = law == "none" ? "area" : law
            met[0] = met[1] = all[0] = all[1] = most = tail = 0
            for (i = 1; i <= m; i++) {
                cad = scene[i] ~ /^cad\//
                if (force_by(runs[r], scene[i], v[j], ideal, "force_direction_deg_p50") == "") continue
                all[cad]++
                met[cad] += force_goal(runs[r], scene[i], v[j], ideal)
                if (cad) continue
                p50 = force_by(runs[r], scene[i], v[j], ideal, "force_direction_deg_p50")
                p99 = force_by(runs[r], scene[i], v[j], ideal, "force_direction_deg_p99")
                if (p50 > most) most = p50
                if (p99 > tail) tail = p99
            }
            put(v[j])
            put(law)
            put(met[0] " of " all[0])
            put(digits(most))
            put(digits(tail))
            put(met[1] " of " all[1])
            end()
        }
    }
    print_table()
}
