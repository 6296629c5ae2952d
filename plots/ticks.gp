# A logarithmic axis from `lo` to `hi` with ticks that do not touch. Set before: axis ('x', 'y' or 'cb'),
# lo and hi (above 0), tick (format), room (how many labels fit).
if (hi < 3.9 * lo) {
    lo = lo / 1.9
    hi = hi * 1.9
}
lo = below(lo)
hi = above(hi)
decades = log10(hi / lo)
tens = floor(log10(hi) + 1e-9) - ceil(log10(lo) - 1e-9) + 1
ticks_of = 3 * decades + 1 <= room + 0.5 || tens < 2 ? '1 2 5' : '1'
every = larger(1, ceil(decades / room))
if (axis eq 'x') {
    set logscale x
    set xrange [lo:hi]
    set xtics ()
}
if (axis eq 'y') {
    set logscale y
    set yrange [lo:hi]
    set ytics ()
}
if (axis eq 'cb') {
    set logscale cb
    set cbrange [lo:hi]
    set cbtics ()
}
do for [power = floor(log10(lo) - 1e-9):ceil(log10(hi) + 1e-9)] {
    do for [m in ticks_of] {
        at = real(m) * 10.0**power
        if (at >= lo * (1 - 1e-9) && at <= hi * (1 + 1e-9)) {
            entry = (power - ceil(log10(lo) - 1e-9)) % every == 0 ? gprintf(tick, at) : ''
            if (axis eq 'x') { set xtics add (entry at) }
            if (axis eq 'y') { set ytics add (entry at) }
            if (axis eq 'cb') { set cbtics add (entry at) }
        }
    }
}
