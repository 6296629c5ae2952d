# faulty: the known-bad contestants of runs of `faulty` and `cheats`. Of each: its status, what it does (as
# `proxbench list algorithms` says it), and what shows it: the reason of its status, or else columns in
# which it differs from the good contestant beside it, `none`.
#
# Of a contestant that takes part in more than one scenario, the first row that is not ok counts, or the last.

# The help of all choices of an algorithm into help[NAME:KEY=CHOICE].
function read_help(algorithm,    command, line, name, choices) {
    command = "proxbench list algorithms " algorithm
    while ((command | getline line) > 0) {
        if (line ~ /^choice /) choices = 1
        else if (choices && line ~ /^[^ ]/) {
            name = line
            sub(/ .*/, "", name)
            sub(/^[^ ]+ +/, "", line)
            help[name] = line
        } else if (choices && line ~ /^ +[^ ]/) {
            sub(/^ +/, " ", line)
            help[name] = help[name] line
        }
    }
    close(command)
}

# The row of the good contestant of the same algorithm and scenario.
function good_row(of, row,    name, i) {
    name = field[of, row, "variant"]
    sub(/:.*/, "", name)
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "variant"] == name && field[of, i, "scenario"] == field[of, row, "scenario"]) return i
    return 0
}

# "; COLUMN = VALUE" if the value is larger than the good one's by this factor and this much.
function beyond(of, row, good, column, factor, least,    here, other) {
    here = field[of, row, column]
    other = field[of, good, column]
    if (here == "" || here + 0 <= factor * other + least) return ""
    return "; " column sprintf(" = %.3g", here) sprintf(" (none: %.3g)", other)
}

function shown(of, row,    good, text) {
    if (field[of, row, "detail"] != "") return field[of, row, "detail"]
    good = good_row(of, row)
    text = beyond(of, row, good, "alloc_count", 1, 0) beyond(of, row, good, "rss_growth_bytes", 1, 2e6) \
        beyond(of, row, good, "output_bytes", 1, 0) beyond(of, row, good, "contact_off_size_max", 1, 0.01) \
        beyond(of, row, good, "contact_normal_deg_p50", 1, 10) beyond(of, row, good, "depth_worse_rel_max", 1, 0.01) \
        beyond(of, row, good, "other_cpu_ratio", 1, 0.3)
    if (help[field[of, row, "variant"]] ~ /longer$/)
        text = beyond(of, row, good, "time_intrinsic_max_ns", 100, 0) beyond(of, row, good, "time_p50_ns", 1.02, 0)
    if (text != "") return substr(text, 3)
    if (row == good) return "it is the good one"
    return field[of, row, "answers_hash"] == field[of, good, "answers_hash"] ? "harmless: it answers as the good one does" : "-"
}

END {
    read_help("faulty")
    read_help("cheats")
    read_help("cheats-stateless")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/cells"
        named = 0
        for (i = 1; i <= rows[of]; i++) {
            name = field[of, i, "variant"]
            if (name !~ /^(faulty|cheats)/ || name ~ /@/) continue
            if (!(name in row_at)) {
                sequence[++named] = name
                row_at[name] = i
            } else if (field[of, row_at[name], "status"] == "ok") row_at[name] = i
        }
        for (k = 1; k <= named; k++) {
            name = sequence[k]
            row = row_at[name]
            key = name ~ /=/ ? name : name (name ~ /^faulty/ ? ":fault=none" : ":cheat=none")
            word = key
            sub(/^faulty:fault=/, "", word)
            sub(/:cheat=/, " ", word)
            printf "%-29s%-15s%s\n%-44s%s\n", word, field[of, row, "status"], help[key], "", shown(of, row)
        }
    }
}
