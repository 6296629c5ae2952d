# lpd-left.awk: frames with one region: of how many less than 1 % of the intersection volume is left after the reported way, and of
# how many its depth is at most 1.1 times the exact one along it, and two pixels; then that depth beside the least of all directions.
END {
    put_row("scenario|variant|frames|separated|near|both|depth / exact along it, median|95 %|not judged")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                single_frames(runs[r], scene[i], v[j], out, failed, near_by)
                if (out["frames"] == 0) continue
                put(scene[i])
                put(v[j])
                put(count(out["frames"]))
                put(share_text(out["separated"] / out["frames"]))
                put(share_text(out["near"] / out["frames"]))
                put(share_text(out["both"] / out["frames"]))
                sort_values(near_by, sorted)
                put(digits(quantile(sorted, out["ratios"], 0.5)))
                put(digits(quantile(sorted, out["ratios"], 0.95)))
                put(count(out["unjudged"] + 0))
                end()
            }
        }
    }
    print_table()
}
