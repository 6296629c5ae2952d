# pst-walks.awk: the tree of points against the flat pointshell, frame by frame: the time of flat / that of the tree (medians over
# passes), over frames and of the whole path with its interval over launches; contacts; frames in which contacts, depth,
# force or torque differ in any digit.

# The flat variant's partner: the same but for its walk.
function partner(variant) {
    sub(/,walk=flat/, "", variant)
    sub(/:walk=flat,/, ":", variant)
    sub(/:walk=flat$/, "", variant)
    return variant
}
# The frames of a variant are read once.
function frames_of(run, scene, variant,    of) {
    of = run "/" scene "/" cell(run, scene, variant, "file")
    if (!(of in rows)) read_csv(folder[run] "/" scene "/" cell(run, scene, variant, "file") ".csv", of)
    return of
}
function differs(a, b, i,    k, n, names) {
    n = split("colliding contacts_count depth_m nx ny nz fx_m fy_m fz_m tx_m_m ty_m_m tz_m_m", names, " ")
    for (k = 1; k <= n; k++) if (field[a, i, names[k]] != field[b, i, names[k]]) return 1
    return 0
}
END {
    put_row("scenario|flat variant|points|flat / tree, least|median|largest|of the path|contacts, mean|most|frames that differ")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^pst:.*walk=flat", v)
            for (j = 1; j <= n; j++) {
                a = frames_of(runs[r], scene[i], v[j])
                b = frames_of(runs[r], scene[i], partner(v[j]))
                split("", each)
                split("", sorted)
                sum = most = bad = 0
                for (f = 1; f <= rows[a]; f++) {
                    if (field[b, f, "time_median_ns"] > 0) each[f] = field[a, f, "time_median_ns"] / field[b, f, "time_median_ns"]
                    sum += field[b, f, "contacts_count"]
                    if (field[b, f, "contacts_count"] > most) most = field[b, f, "contacts_count"]
                    bad += differs(a, b, f)
                }
                bad += rows[a] == rows[b] ? 0 : rows[a] + rows[b]
                k = sort_values(each, sorted)
                put(scene[i])
                put(v[j])
                put(count(cell(runs[r], scene[i], v[j], "primitives_b_count")))
                put(digits(sorted[1]))
                put(digits(median_of(sorted, k)))
                put(digits(sorted[k]))
                put(partner(v[j]) == baseline(runs[r], scene[i]) ? ratio_text(runs[r], scene[i], v[j]) : "-")
                put(rows[b] > 0 ? digits(sum / rows[b]) : "-")
                put(count(most))
                put(bad)
                end()
            }
        }
    }
    print_table()
}
