# IST-T1: heavy penetration, up to 50 % of the volume: time of each frame against what overlaps. The
# paper included it "to stress our algorithm"; 1 kHz "may not always be met".
# quantities: volume
# variants: *, at least 1
# paper: ist-t1
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
truth = 'truth_volume_lo_m3'
fastest = 1e9
slowest = 1e-5
most = 0
# Below are frames before the bodies touch.
touching(t) = column(truth) > 0 ? t : 1e9
do for [i = 1:count] {
    stats file(i) using (touching(duration(column('time_median_ns')))) nooutput name 'one'
    fastest = smaller(fastest, one_min)
    stats file(i) using (column(truth)):(duration(column('time_median_ns'))) nooutput name 'one'
    slowest = larger(slowest, one_max_y)
    most = larger(most, one_max_x)
}
if (of_paper) { slowest = larger(slowest, duration(paper('T1'))) }

title = scenario.': time per frame against the volume that overlaps'
body = narrow ? 170 : 300
keys = 'points'
if (of_paper) {
    dummy = key('paper: 1 kHz, may be missed', 'l101')
    dummy = key(sprintf('paper: never above %g ms', 1e3 * duration(paper('T1'))), 'l102')
}
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2 * letter
y0 = axis_below
y1 = body - letter
x_name = 'true intersection volume ('.cubic_name(most).')'
y_name = 'time per frame'
mark = ''
load plots.'/panel.gp'
axis = 'y'
lo = smaller(fastest, slowest)
hi = slowest * 1.1
tick = seconds
room = 6
load plots.'/ticks.gp'
set xrange [0:*]
plot for [i = 1:count] file(i) \
         using (cubic(most) * column(truth)):(duration(column('time_median_ns'))) \
         with points ls i ps 0.7 * dot, \
     for [k = 1:of_paper] 1e-3 with lines ls 101, \
     for [k = 1:of_paper] duration(paper('T1')) with lines ls 102
