# pst-aliasing.awk: power of the force beside the ideal one above 30 Hz, from spectrograms: of all windows, and of those in which the
# solids touch in every frame, where how contact sets in has no part; and how far below layers the field is there.
END {
    put_row("scenario|variant|windows|above 30 Hz|windows of steady contact|above 30 Hz|below layers")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (j = 1; j <= n; j++) {
                aliasing(runs[r], scene[i], v[j], own)
                layers = same_with_layers(runs[r], scene[i], v[j])
                if (layers != "") aliasing(runs[r], scene[i], layers, other)
                put(scene[i])
                put(v[j])
                put(count(own["windows"]))
                put(decibels(own["all"]))
                put(count(own["steady_windows"]))
                put(decibels(own["steady"]))
                put(layers == "" || own["steady"] == "" || other["steady"] == "" ? "-" : decibels(other["steady"] - own["steady"]))
                end()
            }
        }
    }
    print_table()
}
