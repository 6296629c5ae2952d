# variants.awk: all contestants of runs: how large they are, how fast, how wrong. Times are means over frames,
# with 95 % intervals over launches; "longest" is the longest frame, each counted with its fastest pass;
# "times faster" than the run's baseline is a ratio within launches, with the joint interval of its scenario.
END {
    put_row("scenario|variant|A and B are made of|mean time|longest|times faster|mean error|bias|largest error")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                kind = cell(runs[r], scene[i], v[j], "quantity") == "volume" ? "volume_error_rel" : "distance_error_size"
                put(scene[i])
                put(v[j])
                put(count(cell(runs[r], scene[i], v[j], "primitives_a_count")) ", " count(cell(runs[r], scene[i], v[j], "primitives_b_count")))
                put(mean_text(runs[r], scene[i], v[j]))
                put(time(cell(runs[r], scene[i], v[j], "time_intrinsic_max_ns")))
                put(speedup_text(runs[r], scene[i], v[j]))
                put(error_text(cell(runs[r], scene[i], v[j], kind "_mean")))
                put(error_text(cell(runs[r], scene[i], v[j], kind "_bias")))
                put(error_text(cell(runs[r], scene[i], v[j], kind "_max")))
                end()
            }
        }
    }
    print_table()
}
