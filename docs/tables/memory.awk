# memory.awk: what both bodies of a pair hold in memory.
END {
    put_row("scenario|variant|A and B are made of|memory|bytes each")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                size = cell(runs[r], scene[i], v[j], "build_bytes")
                parts = primitives(runs[r], scene[i], v[j])
                put(scene[i])
                put(v[j])
                put(count(cell(runs[r], scene[i], v[j], "primitives_a_count")) ", " count(cell(runs[r], scene[i], v[j], "primitives_b_count")))
                put(bytes(size))
                put(parts > 0 ? digits(size / parts) : "-")
                end()
            }
        }
    }
    print_table()
}
