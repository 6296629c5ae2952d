# lpd-failures.awk: the frames with one region in which a way does not separate, or is too deep, and why.
END {
    put_row("scenario|variant|frame|what|why")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                single_frames(runs[r], scene[i], v[j], out, failed, near_by)
                for (k = 1; k <= out["failed"]; k++) {
                    split(failed[k], part, SUBSEP)
                    put(scene[i])
                    put(v[j])
                    put(part[1])
                    put(part[2])
                    put(part[3])
                    end()
                }
            }
        }
    }
    print_table()
}
