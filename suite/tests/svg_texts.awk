# Looks at the texts of SVGs that gnuplot has drawn: prints those that leave the picture, pairs that
# lie over each other, and those that lie over a point of a curve. A letter is taken to be 0.53 of the font's size wide and 0.72 high, as
# those of DejaVu Sans are on average; texts may touch by a hair.
FNR == 1 { check(); count = 0; points = 0; in_curve = 0; name = FILENAME; sub(/.*\//, "", name) }
/viewBox="0 0/ { match($0, /viewBox="0 0 [0-9.]+ [0-9.]+/); split(substr($0, RSTART + 13, RLENGTH - 13), view, " ") }
/translate\([-0-9.]+,[-0-9.]+\).*font-size=/ {
    match($0, /translate\([-0-9.]+,[-0-9.]+/)
    split(substr($0, RSTART + 10, RLENGTH - 10), at, ",")
    match($0, /font-size="[0-9.]+/)
    size = substr($0, RSTART + 11, RLENGTH - 11)
    anchor = $0 ~ /text-anchor="end"/ ? 1 : $0 ~ /text-anchor="middle"/ ? 0.5 : 0
    turned = $0 ~ /rotate\(/
}
/<text>/ {
    text = $0
    sub(/.*<text>/, "", text)
    sub(/<\/text>.*/, "", text)
    gsub(/&[a-z]+;|µ|³|≤/, "x", text)
    sub(/^ +/, "", text)
    sub(/ +$/, "", text)
    if (text == "") next
    wide = 0.53 * size * length(text)
    high = 0.72 * size
    count++
    shown[count] = text
    left[count] = turned ? at[1] - high : at[1] - anchor * wide
    right[count] = turned ? at[1] : left[count] + wide
    top[count] = turned ? at[2] - (1 - anchor) * wide : at[2] - high
    bottom[count] = turned ? top[count] + wide : at[2]
}
/id="figure_plot_/ { in_curve = 1 }
/^\t<\/g>/ { in_curve = 0 }
in_curve && (/ d='/ || /^\t\t[ML]/ || /translate\(/) {
    rest = $0
    while (match(rest, /[-0-9.]+,[-0-9.]+/)) {
        split(substr(rest, RSTART, RLENGTH), at, ",")
        rest = substr(rest, RSTART + RLENGTH)
        x[++points] = at[1]
        y[points] = at[2]
    }
}
END { check(); exit bad }
function check(    i, j, p, hair) {
    for (i = 1; i <= count; i++) {
        if (left[i] < 0 || top[i] < 0 || right[i] > view[1] || bottom[i] > view[2]) {
            printf "%s: '%s' leaves the picture\n", name, shown[i]
            bad = 1
        }
        for (p = 1; p <= points; p++) {
            if (x[p] > left[i] && x[p] < right[i] && y[p] > top[i] && y[p] < bottom[i]) {
                printf "%s: '%s' lies over a curve\n", name, shown[i]
                bad = 1
                break
            }
        }
        for (j = 1; j < i; j++) {
            hair = 0.08 * (bottom[i] - top[i])
            if (left[i] < right[j] - hair && left[j] < right[i] - hair && \
                top[i] < bottom[j] - hair && top[j] < bottom[i] - hair) {
                printf "%s: '%s' lies over '%s'\n", name, shown[i], shown[j]
                bad = 1
            }
        }
    }
}
