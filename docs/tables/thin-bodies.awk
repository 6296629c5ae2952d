# thin-bodies.awk: body for body, the mean error of each contestant, in the order of the spheres that fit into the
# body: those of the contestant with the fewest. A contestant that does not answer has no error.
END {
    run = runs[1]
    m = scenarios(run, "", scene)
    columns = 0
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "", v)
        for (j = 1; j <= n; j++) if (!(v[j] in seen)) {
            seen[v[j]] = 1
            name[++columns] = v[j]
        }
    }
    head = "body|spheres"
    for (j = 1; j <= columns; j++) head = head "|" name[j]
    put_row(head)
    for (i = 1; i <= m; i++) {
        fewest[i] = -1
        n = variants(run, scene[i], "^ist", v)
        for (j = 1; j <= n; j++) {
            spheres = cell(run, scene[i], v[j], "primitives_a_count")
            if (fewest[i] < 0 || spheres < fewest[i]) fewest[i] = spheres
        }
        if (n < 3) fewest[i] = 0 # none reaches the smallest radius
    }
    for (done = 1; done <= m; done++) {
        least = 0
        for (i = 1; i <= m; i++) if (!(i in printed) && (!least || fewest[i] < fewest[least])) least = i
        printed[least] = 1
        put(scene[least])
        put(count(fewest[least]))
        for (j = 1; j <= columns; j++) put(error_text(cell(run, scene[least], name[j], "volume_error_rel_mean")))
        end()
    }
    print_table()
}
