# Per-frame strips: time and error of each frame, as colours, one strip a variant.
# quantities: distance volume
# variants: *, at least 1
by_volume = quantity eq 'volume'
error = by_volume ? 'volume_error_rel' : 'distance_error_size'
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
# Exact answers, whose error has no place on a logarithmic scale, lie on its lower end; frames that are
# not judged stay white.
least = 1e-4
shown(e) = e != e ? NaN : abs(percent(e)) > least ? abs(percent(e)) : least
stats file(1) using (column('frame')) nooutput
last_frame = STATS_max
# A frame's box reaches under that of the next one, so that no seam shows.
left(frame) = frame - 0.5
right(frame) = frame + 1

set multiplot title scenario.': '.quantity.' per frame'
count = words(files)
set xrange [-0.5:last_frame + 0.5]
set yrange [-count - 0.5:-0.2]
set border 1
unset ytics
unset grid
unset key
set xlabel 'frame' offset 0, 0.4
set tmargin at screen 0.94
set bmargin at screen 0.22
set style fill solid noborder
# Dark is slow, or wrong; told apart by the colour-blind and in grey.
set palette defined (0 '#FDE725', 1 '#5EC962', 2 '#21918C', 3 '#3B528B', 4 '#440154')
set logscale cb
set cbtics font ',14'
do for [i = 1:count] {
    set label i word(variants, i) at screen 0.03, first -i + 0.40 left font count > 16 ? ',9' : ',13'
}

set lmargin at screen 0.03
set rmargin at screen 0.47
set colorbox horizontal user origin screen 0.03, screen 0.10 size screen 0.44, screen 0.025
set cblabel 'time per frame' offset 0, 0.4
set format cb '%.0s %cs'
plot for [i = 1:count] file(i) \
     using (column('frame')):(-i):(left(column('frame'))):(right(column('frame'))):(-i - 0.45):(-i + 0.2):(duration(column('time_median_ns'))) \
     with boxxyerror lc palette

do for [i = 1:count] { unset label i }
set lmargin at screen 0.53
set rmargin at screen 0.97
set colorbox horizontal user origin screen 0.53, screen 0.10 size screen 0.44, screen 0.025
set cblabel by_volume ? 'error (% of truth)' : 'error (% of size)'
set cbrange [least:1e2]
set cbtics ('≤ 0.0001' least, '0.001' 1e-3, '0.01' 1e-2, '0.1' 1e-1, '1' 1, '10' 10, '100' 100)
plot for [i = 1:count] file(i) \
     using (column('frame')):(-i):(left(column('frame'))):(right(column('frame'))):(-i - 0.45):(-i + 0.2):(shown(column(error))) \
     with boxxyerror lc palette
unset multiplot
