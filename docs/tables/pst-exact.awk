# pst-exact.awk: the exact finish: what trees and fields leave for triangles to decide, and its time against other exact
# answers from the same start, launch by launch.
function against(variant, other, protocol) {
    time_ratio(runs[r], scene[i], other, variant, protocol, x)
    return triple(x)
}
END {
    put_row("scenario|variant|mean time|longest|lookups|pairs of triangles|exact-distance's time / its|evicted|fcl's / its|evicted|broken promises")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^pst-exact", v)
            for (j = 1; j <= n; j++) {
                rival = exact_rival(v[j])
                put(scene[i])
                put(v[j])
                put(mean_text(runs[r], scene[i], v[j]))
                put(time(cell(runs[r], scene[i], v[j], "time_intrinsic_max_ns")))
                put(count(tests(runs[r], scene[i], v[j]) + cell(runs[r], scene[i], v[j], "points_count_mean")))
                put(digits(cell(runs[r], scene[i], v[j], "triangle_tests_count_mean")))
                put(against(v[j], rival, "warm"))
                put(against(v[j], rival, "evicted"))
                put(against(v[j], "fcl", "warm"))
                put(against(v[j], "fcl", "evicted"))
                put(count(cell(runs[r], scene[i], v[j], "violations_count")))
                end()
            }
        }
    }
    print_table()
}
