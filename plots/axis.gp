# An axis of the panel x0, x1, y0, y1: call axis SIDE KIND LO HI. SIDE is x, y or cb, KIND as in panel.gp. Ticks have as many
# labels as do not touch. Sets lo and hi to the ends of the axis.
side = ARG1
kind = word(ARG2, 1)
tick = kind eq 'time' ? seconds : kind eq 'count' ? '%.0s%c' : words(ARG2) > 1 ? ARG2[strlen(kind) + 2:*] : '%g'
kind = is_log(kind) ? 'log' : kind
lo = ARGV[3]
hi = ARGV[4]
tick_letters = tick eq seconds || tick eq '%.0s %cB' ? 6.0 : 4.5
room = side eq 'y' ? (y1 - y0) / (2.4 * small) : (x1 - x0) / ((tick_letters + 1.5) * char * small)
room = smaller(12, floor(room))
eval 'set format '.side
if (kind ne 'log') { eval 'unset logscale '.side }
if (kind eq 'rows') {
    set yrange [words(row_variants) + 0.5:0.5]
    set ytics ()
    do for [k = 1:words(row_variants)] { set ytics add ('' k) }
}
if (kind eq 'share') {
    eval 'set '.side.'range [0:1.02]'
    eval 'set '.side."tics ('0' 0, '20' 0.2, '40' 0.4, '60' 0.6, '80' 0.8, '100' 1)"
}
if (kind eq 'linear' || kind eq 'frames') {
    lo = smaller(lo, 0)
    hi = hi > lo ? hi : lo + 1.0
    beyond = kind eq 'frames' ? 1 : 1.05
    eval sprintf('set %srange [%.9g:%.9g]', side, beyond * lo, beyond * hi)
    eval sprintf('set %stics autofreq; set %stics %.9g', side, side, step(hi - lo, smaller(room, side eq 'y' ? 5 : 9)))
    eval 'set format '.side.' tick'
}
# Of less than half a decade: numbers have ticks at the multiples of one; other axes are widened, so that two ticks have labels.
is_narrow = kind eq 'log' && hi < 3.9 * lo
is_short = is_narrow && tick eq '%g' && hi > 1.01 * lo
if (kind eq 'log') {
    lo = is_short ? lo : below(is_narrow ? lo / 1.9 : lo)
    hi = is_short ? hi : above(is_narrow ? hi * 1.9 : hi)
    eval 'set logscale '.side
    eval sprintf('set %srange [%.9g:%.9g]', side, lo, hi)
    eval 'set '.side.'tics ()'
}
if (is_short) {
    apart = step(hi - lo, smaller(room, 6))
    do for [n = ceil(lo / apart - 1e-9):floor(hi / apart + 1e-9)] { eval sprintf("set %stics add ('%g' %.9g)", side, n * apart, n * apart) }
}
if (kind eq 'log' && !is_short) {
    decades = log10(hi / lo)
    tens = floor(log10(hi) + 1e-9) - ceil(log10(lo) - 1e-9) + 1
    ticks_of = 3 * decades + 1 <= room + 0.5 || tens < 2 ? '1 2 5' : '1'
    every = larger(1, ceil(decades / room))
    do for [power = floor(log10(lo) - 1e-9):ceil(log10(hi) + 1e-9)] {
        do for [m in ticks_of] {
            at = real(m) * 10.0**power
            if (at >= lo * (1 - 1e-9) && at <= hi * (1 + 1e-9)) {
                entry = (power - ceil(log10(lo) - 1e-9)) % every == 0 ? gprintf(tick, at) : ''
                eval 'set '.side.'tics add (entry at)'
            }
        }
    }
}
