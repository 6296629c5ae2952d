# press.awk: the force of a cube that is pressed on a cube by its face, along the scenario's axis ("x", "y" or "z"), in the unit of
# the variant. A column for each frame: the gap in mm, negative where the cubes overlap.
function unit_column(axis,    i) {
    split("m m2 m3 N", units, " ")
    for (i = 1; i <= 4; i++)
        if (frame_values(runs[r], scene[i0], v[j], "f" axis "_" units[i], pushes) > 0) return units[i]
    return ""
}
function gaps(axis,    path, line, names, f, n, i, k, found) {
    path = folder[runs[r]] "/trajectories/" scene[i0] ".csv"
    getline line <path
    n = split(line, names, ",")
    for (i = 1; i <= n; i++) if (names[i] == axis "_m") k = i
    while ((getline line <path) > 0) {
        split(line, f, ",")
        gap[++found] = 1000 * f[k] - 62.5
    }
    close(path)
    return found
}
END {
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "^[xyz]$", scene)
        for (i0 = 1; i0 <= m; i0++) {
            frames = gaps(scene[i0])
            if (i0 == 1) {
                head = "axis|variant|unit"
                for (f0 = 1; f0 <= frames; f0++) head = head "|" sprintf("%+.3g", gap[f0]) (f0 == 1 ? " mm" : "")
                put_row(head)
            }
            n = variants(runs[r], scene[i0], "", v)
            for (j = 1; j <= n; j++) {
                put(scene[i0])
                put(v[j])
                put(unit_column(scene[i0]))
                for (f0 = 1; f0 <= frames; f0++) put(pushes[f0] == 0 ? "0" : digits(pushes[f0]))
                end()
            }
        }
    }
    print_table()
}
