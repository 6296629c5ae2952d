# thin-halves.awk: the bodies of each half of a catalogue, "half/body", together: the mean of the contestants' mean
# errors, the worst body, and the mean of the biases. A body that a contestant does not answer for is not counted.
END {
    put_row("half|variant|bodies|mean error|worst body|of|bias")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            half = scene[i]
            sub("/.*", "", half)
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                error = cell(runs[r], scene[i], v[j], "volume_error_rel_mean")
                if (error == "") continue
                k = half SUBSEP v[j]
                if (!(k in counted)) order[++count_of] = k
                counted[k]++
                sum[k] += error
                bias[k] += cell(runs[r], scene[i], v[j], "volume_error_rel_bias")
                if (error > worst[k]) {
                    worst[k] = error
                    of_body[k] = substr(scene[i], length(half) + 2)
                }
            }
        }
    }
    split("finding judging", halves, " ")
    for (h = 1; h <= 2; h++)
        for (i = 1; i <= count_of; i++) {
            k = order[i]
            split(k, part, SUBSEP)
            if (part[1] != halves[h]) continue
            put(part[1])
            put(part[2])
            put(counted[k])
            put(percent(sum[k] / counted[k]))
            put(percent(worst[k]))
            put(of_body[k])
            put(percent(bias[k] / counted[k]))
            end()
        }
    print_table()
}
