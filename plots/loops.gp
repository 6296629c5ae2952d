# Haptic loops in view of an x axis of time, with names above the panel, in one row. A name that would touch its right neighbour's ends
# at its line, or where that one begins.
right_end = W
do for [limit_us in '5000 1000 200 100 20'] {
    limit = 1e-6 * int(limit_us)
    if (limit > lo && limit < hi) {
        entry = gprintf(seconds, limit)
        middle = x0 + log10(limit / lo) / log10(hi / lo) * (x1 - x0)
        half = 0.5 * char * small * (strlen(entry) + 2)
        name_at = middle + half > right_end ? smaller(middle, right_end) - half : middle
        right_end = name_at - half
        set arrow 20 + int(limit_us) from limit, graph 0 to limit, graph 1 nohead ls 101
        set label 20 + int(limit_us) entry at screen sx(name_at), graph 1 offset 0, 0.7 center font small_font textcolor rgb '#666666'
    }
}
