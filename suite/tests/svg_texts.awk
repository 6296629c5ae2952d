# Checks SVG files of gnuplot. Prints texts that leave the picture, pairs of texts that overlap, texts
# over a marker or a line (curves, axes, ticks, samples of the legend), pictures whose panels take less
# than 15 % of the area, and pictures without a curve. The width of a letter is estimated as 0.53 of
# the font's size and its height as 0.72, the means of DejaVu Sans. Small overlaps are allowed.
#
# It is awk because no program of this tree reads SVG, and only tests of pictures need it.
FNR == 1 { check(); count = 0; points = 0; segments = 0; area = 0; drawn = 0; in_curve = 0; name = FILENAME; sub(/.*\//, "", name) }
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
in_curve && (/<path / || /<polygon / || /<use / || /<image /) { drawn++ }
in_curve && /translate\(/ {
    match($0, /translate\([-0-9.]+,[-0-9.]+/)
    split(substr($0, RSTART + 10, RLENGTH - 10), place, ",")
    x[++points] = place[1]
    y[points] = place[2]
}
# Lines of the grid are below everything, and paths with a name are the shapes of markers.
(/<path / || /^\t\t[ML]/) && !/class="gridline"/ && !/ id='/ {
    rest = $0
    sub(/.* d='/, "", rest)
    sub(/'.*/, "", rest)
    corners = 0
    while (match(rest, /[ML][-0-9.]+,[-0-9.]+/)) {
        pen = substr(rest, RSTART, 1)
        split(substr(rest, RSTART + 1, RLENGTH - 1), place, ",")
        rest = substr(rest, RSTART + RLENGTH)
        if (pen == "L") {
            x1[++segments] = pen_x
            y1[segments] = pen_y
            x2[segments] = place[1]
            y2[segments] = place[2]
            corners++
        }
        pen_x = place[1]
        pen_y = place[2]
    }
    # An axis beside an axis, in the colour of both, is a panel; it is drawn twice.
    if (corners == 2 && /rgb\( 68,  68,  68\)/ && !(panels++ % 2)) {
        area += (y2[segments - 1] - y1[segments - 1]) * (x2[segments] - x1[segments])
    }
}
END { check(); exit bad }
# Returns 1 if segment s crosses the box of text i, made slightly smaller.
function goes_through(s, i,    hair) {
    hair = 0.04 * (bottom[i] - top[i])
    reach[0] = 0
    reach[1] = 1
    return clip(x1[s], x2[s], left[i] + hair, right[i] - hair) && clip(y1[s], y2[s], top[i] + hair, bottom[i] - hair)
}
# Clips the part reach[0] to reach[1] of a segment to the range lo to hi of one axis.
function clip(a, b, lo, hi,    near, far, swap) {
    if (a == b) return a > lo && a < hi
    near = (lo - a) / (b - a)
    far = (hi - a) / (b - a)
    if (near > far) { swap = near; near = far; far = swap }
    if (near > reach[0]) reach[0] = near
    if (far < reach[1]) reach[1] = far
    return reach[0] < reach[1]
}
function check(    i, j, p, hair) {
    for (i = 1; i <= count; i++) {
        if (left[i] < 0 || top[i] < 0 || right[i] > view[1] || bottom[i] > view[2]) {
            printf "%s: '%s' leaves the picture\n", name, shown[i]
            bad = 1
        }
        for (p = 1; p <= points; p++) {
            if (x[p] > left[i] && x[p] < right[i] && y[p] > top[i] && y[p] < bottom[i]) {
                printf "%s: '%s' lies over a marker\n", name, shown[i]
                bad = 1
                break
            }
        }
        for (p = 1; p <= segments; p++) {
            if (goes_through(p, i)) {
                printf "%s: '%s' lies over a line\n", name, shown[i]
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
    if (name && !drawn) {
        printf "%s: nothing is drawn\n", name
        bad = 1
    }
    if (panels && area < 0.15 * view[1] * view[2]) {
        printf "%s: the panels have %.0f %% of the picture\n", name, 100 * area / (view[1] * view[2])
        bad = 1
    }
    panels = 0
}
