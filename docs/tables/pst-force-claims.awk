# pst-force-claims.awk: what is claimed of penetration by point-sphere trees, each as a rule on numbers.
function claim(id, rule, measured, verdict) {
    put(id)
    put(rule)
    put(measured)
    put(verdict)
    end()
}
# The flat walk of a variant with the name of the baseline / the baseline, of each scenario.
function walks(    run, m, i, j, n, scene, v) {
    run = "pst-t1"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^pst:walk=flat$", v)
        for (j = 1; j <= n; j++) claim("T1", scene[i] ": flat / tree at least 1.5", ratio_text(run, scene[i], v[j]), at_least(ratio(run, scene[i], v[j], "lo"), ratio(run, scene[i], v[j], "hi"), 1.5))
    }
}
# Noise of layers less that of the interpolated field.
function aliasing(    run, m, i, scene, layers, fields, a, b) {
    run = "pst-t2"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        if (!variants(run, scene[i], "^pst:.*depth=layers", layers) || !variants(run, scene[i], "^pst:layers", fields)) continue
        a = force(run, scene[i], layers[1], "force_noise_db")
        b = force(run, scene[i], fields[1], "force_noise_db")
        claim("T2", scene[i] ": noise of layers at least 10 dB above that of interpolated distances", digits(a) " dB against " digits(b) " dB", a == "" || b == "" ? "cannot tell" : at_least(a - b, a - b, 10))
    }
}
END {
    put_row("claim|rule|measured|verdict")
    walks()
    aliasing()
    print_table()
}
