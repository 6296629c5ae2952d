# A simulated hand over time. The axes are logarithmic over four decades, so that one large spike does not flatten all others; smaller
# values lie on the lower end.

# Forces: (a) that of the coupling, which the hand feels; (b) that of the contact.
# figure: simulation-forces
# quantities: force
# variants: *, at least 1
# needs: simulations.csv
# draws: work
# (a) depth of the deepest point in the other body, at steps that were judged; (b) the volume that both bodies share.
# figure: simulation-depths
# quantities: force
# variants: *, at least 1
# needs: simulations.csv
# draws: work
file(i) = run.'/'.scenario.'/'.word(files, i).'.steps.csv'
is_force = figure eq 'simulation-forces'
title = scenario.(is_force ? ': forces' : ': how deep')
values = is_force ? "column('coupling_n') column('contact_n')" : "1e3*column('point_depth_m') 1e9*column('volume_m3')"
names = !is_force ? (narrow ? '"depth (mm)" "volume (mm³)"' : '"deepest point (mm)" "common volume (mm³)"') : \
        narrow ? '"coupling (N)" "contact (N)"' : '"force of the coupling (N)" "force of the contact (N)"'
is_exact(i) = strstrt(word(files, i), 'exact-') == 1
keys = 'linespoints'
layout = '1 / 1'
heights = narrow ? '85 85' : '130 130'
do for [n = 1:2] {
    value = word(values, n)
    most = 0
    markers = '' # one of so many points has a marker
    do for [i = 1:count] {
        eval 'stats file(i) using ('.value.") nooutput name 'steps'"
        most = steps_records > 0 ? larger(most, steps_max) : most
        markers = markers.sprintf('%d ', larger(1, steps_records / (7 + i)))
    }
    most = most > 0 ? most : 1.0
    held(x, most) = x == x ? larger(x, 1e-4 * most) : NaN
    drawn = '' # the exact method is the last one, in black dots through which the others are seen
    do for [i = 1:count] {
        if (is_exact(i)) { set style line i lc rgb '#000000' lw 3 dt (3, 5) }
        own = sprintf("file(%d) using (column('t_s')):(held(%s, %.9e)) with linespoints ls %d pi %s", i, value, most, i, word(markers, i))
        drawn = drawn eq '' || is_exact(i) ? and(drawn, own) : and(own, drawn)
    }
    y_ends = sprintf('%.9e %.9e', 1e-4 * most, most)
    call panel 'time (s)' 'frames' (word(names, n)) 'log' drawn
}
