# Per-frame strips: time and error of each frame, as colours, one strip a variant.
# figure: frames
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: pareto.csv
# draws: unjudged
# elsewhere: drawn
load plots.'/errors.gp'
# Exact answers have no place on a logarithmic scale and lie on its lower end. Frames that are not
# judged stay white.
least = 1e-4
held(e) = e != e ? NaN : abs(error_unit(e)) > least ? abs(error_unit(e)) : least
verdict(v) = v eq 'tp' || v eq 'tn' ? least : v eq 'fp' || v eq 'fn' ? 1e2 : NaN
shown(i) = quantity eq 'contact' ? verdict(strcol('verdict')) : held(column(error_of))
fastest = 1e9
slowest = 0
last_frame = 0
best = 1e9
worst = 0
unjudged_frames = 0
timed = '' # variants with times: those of others were taken elsewhere
do for [i = 1:count] {
    stats file(i) using (column('frame')):(or(spent('time_median_ns'), 1e9)) nooutput name 'one'
    fastest = smaller(fastest, larger(one_min_y, 1e-9))
    stats file(i) using (column('frame')):(or(spent('time_median_ns'), 0)) nooutput name 'one'
    slowest = larger(slowest, one_max_y)
    timed = one_max_y > 0 ? timed.' '.i : timed
    last_frame = larger(last_frame, one_max_x)
    stats file(i) using (or(shown(i), 1e9)) nooutput name 'one'
    best = smaller(best, one_min)
    stats file(i) using (or(shown(i), 0)) nooutput name 'one'
    worst = larger(worst, one_max)
    stats file(i) using (shown(i) == shown(i) ? 0 : 1) nooutput name 'one'
    unjudged_frames = judged(i) ? unjudged_frames + one_sum : unjudged_frames
}
# Where all answers are right, a strip of errors would have one colour.
all_right = worst <= least
scales = all_right ? 1 : 2
remark = all_right && quantity eq 'contact' ? 'all verdicts are right' : \
         all_right ? 'all errors are at most 1e-4 '.error_part : \
         unjudged_frames > 0 || others > 0 ? 'white in (b): not judged' : ''
if (all_right && unjudged_frames > 0) { remark = remark.' where frames are judged' }
if (words(timed) < count) { remark = remark.(remark eq '' ? '' : '; ').'white in '.(all_right ? 'the strip' : '(a)').': measured elsewhere' }
if (slowest == 0) { fastest = 1e-6; slowest = 1e-6 }
# The scale of errors is that of the data.
best = smaller(best, worst / 10)

# A strip has its variant's name above it: in both scales where they stand above each other.
gap = 4 * letter
across = narrow ? 1 : scales # scales beside each other
wide = (W - 2 * margin - 3.5 * letter - (across - 1) * gap) / across
letters = floor(wide / (char * small))
row = 0
do for [i = 1:count] { row = larger(row, lines(wrap(label(i), letters))) }
row_lines = row
row = pitch * row + 2.2 * letter
below_strips = 8.2 * letter # frames, and the scale of colours
scale_high = count * row + below_strips + (narrow ? pitch : 0)
title = scenario.': time '.(all_right ? '' : 'and '.(quantity eq 'contact' ? 'verdict ' : error_what.' ')).'in each frame'
body = scale_high * (narrow ? scales : 1)
load plots.'/frame.gp'

set multiplot
unset grid
unset ytics
set border 1
set style fill solid noborder
set xrange [-0.5:last_frame + 0.5]
set xtics 0, step(last_frame + 1, 6)
set yrange [-count:0]
set cbtics font small_font scale 0.5 offset 0, format eq 'png' ? 0.4 : 0.7
# Dark is slow, or wrong; told apart by the colour-blind and in grey.
set palette defined (0 '#FDE725', 1 '#5EC962', 2 '#21918C', 3 '#3B528B', 4 '#440154')
# A frame's box reaches a hair under that of the next one, so that no seam shows.
left(frame) = frame - 0.5
right(frame) = smaller(frame + 0.5 + 0.002 * (last_frame + 1), last_frame + 0.5)
top = 1.4 * letter / row
do for [p = 1:scales] {
    x0 = margin + letter + (narrow || p == 1 ? 0 : wide + gap)
    x1 = x0 + wide
    y0 = below_strips + (narrow && p < scales ? scale_high : 0)
    y1 = y0 + count * row
    call plots.'/place.gp' 'frame' '' ''
    do for [i = 1:count] {
        entry = wrap(label(i), letters)
        do for [n = 1:lines(entry)] {
            part = narrow || p == 1 ? line_of(entry, n) : ''
            set label 100 + 20 * i + n part at screen sx(x0), sy(y1 - (i - 1) * row - 1.2 * letter - pitch * (row_lines - lines(entry) + n - 1)) left font small_font
        }
    }
    set colorbox horizontal user origin screen sx(x0), screen sy(y0 - axis_below - 1.2 * letter) size screen sx(wide), screen sy(0.8 * letter) - sy(0)
    entry = p == 1 ? (all_right ? '' : '(a) ').'time per frame' : quantity eq 'contact' ? '(b) verdict' : '(b) '.error_name
    set label 10 entry at screen sx((x0 + x1) / 2), sy(y0 - below_strips + 0.7 * letter) center
    if (p == 1) {
        call axis 'cb' 'time' fastest slowest
        lane(n) = word(timed, n) + 0
        plot for [n = 1:words(timed)] file(lane(n)) \
             using (column('frame')):(-lane(n)):(left(column('frame'))):(right(column('frame'))):(-lane(n)):(-lane(n) + top):(spent('time_median_ns')) \
             with boxxyerror lc palette, 1/0 notitle
    } else {
        call axis 'cb' 'log' best worst
        if (lo <= least) { set cbtics add ('≤1e-4' lo) }
        if (quantity eq 'contact') {
            set palette defined (0 '#FDE725', 0.5 '#FDE725', 0.5 '#440154', 1 '#440154')
            set cbrange [least:1e2]
            set cbtics ('right' least, 'wrong' 1e2)
        }
        plot for [n = 1:ones] file(one(n)) \
             using (column('frame')):(-one(n)):(left(column('frame'))):(right(column('frame'))):(-one(n)):(-one(n) + top):(shown(one(n))) \
             with boxxyerror lc palette
    }
}
unset multiplot
