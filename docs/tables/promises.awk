# promises.awk: what variants of VPS promise of contact and keep, summed up over all scenarios of a run in which they were
# asked: true and false answers, and broken promises.
END {
    put_row("run|variant|promise|scenarios|frames|touching: right|missed|apart: right|false alarm|broken promises|not judged")
    for (r = 1; r <= runs_count; r++) {
        split("", sum)
        split("", promise)
        split("", order)
        known = 0
        of = runs[r] "/cells"
        for (i = 1; i <= rows[of]; i++) {
            v = field[of, i, "variant"]
            if (field[of, i, "quantity"] != "contact" || v !~ /^vps/ || v ~ /@/) continue
            if (!(v in promise)) order[++known] = v
            promise[v] = field[of, i, "contract"]
            sum[v, "scenarios"]++
            if (field[of, i, "status"] != "ok" && field[of, i, "status"] != "wrong") sum[v, "unjudged"]++
            n = split("frames_count tp_count fn_count tn_count fp_count violations_count", column, " ")
            for (k = 1; k <= n; k++) sum[v, column[k]] += field[of, i, column[k]]
        }
        for (j = 1; j <= known; j++) {
            v = order[j]
            put(runs[r])
            put(v)
            put(promise[v])
            put(sum[v, "scenarios"])
            for (k = 1; k <= n; k++) put(count(sum[v, column[k]] + 0))
            put(sum[v, "unjudged"] + 0)
            end()
        }
    }
    print_table()
}
