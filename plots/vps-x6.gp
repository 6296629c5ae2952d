# VPS-X6: size of the force against the depth. The scenarios NAME/60, NAME/30, ... have plates that are 60, 30, ... mm
# thick. The depth increases by half a millimetre in each frame. Each variant has a panel. The paper: "thin surface-like
# regions produce weaker collision forces".
# quantities: force
# variants: vps*, at least 1
# siblings: 60 30 15 7.5 3.75 1.875
# draws: work
names = '60 30 15 7.5 3.75 1.875'
base = scenario[1:strlen(scenario) - 3]
file(i, n) = run.'/'.base.'/'.word(names, n).'/'.word(files, i).'.csv'
panels = smaller(count, 3)
size(x, y, z) = sqrt(x * x + y * y + z * z)
array most[panels]
last_frame = 1
do for [i = 1:panels] {
    most[i] = 0
    do for [n = 1:6] {
        stats file(i, n) using (column('frame')):(size(column('fx_m'), column('fy_m'), column('fz_m'))) nooutput name 'one'
        most[i] = larger(most[i], one_max_y)
        last_frame = larger(last_frame, one_max_x)
    }
}
depth(frame) = 0.5 * frame

title = base.': force against depth, by the thickness of the plate'
claim = 'paper: "thin surface-like regions produce weaker collision forces than bulky solid objects"'
body = (narrow ? 130 : 170) * panels
do for [n = 1:6] { dummy = key(word(names, n).' mm', sprintf('b%d', 200 + n)) }
load plots.'/frame.gp'

set multiplot
do for [i = 1:panels] {
    x0 = axis_left
    x1 = W - 2 * letter
    y0 = axis_below + body * (panels - i) / panels
    y1 = body * (panels - i + 1) / panels - 2 * letter
    x_name = 'depth (mm)'
    y_name = 'force (m)'
    mark = ''
    load plots.'/panel.gp'
    set label 4 label(i) at screen sx(x0), sy(y1 + 0.8 * letter) left font small_font
    set xrange [0:depth(last_frame)]
    set yrange [0:1.05 * larger(1e-9, most[i])]
    set ytics autofreq 0, step(larger(1e-9, most[i]), 4)
    plot for [n = 1:6] file(i, n) using (depth(column('frame'))):(size(column('fx_m'), column('fy_m'), column('fz_m'))) with linespoints ls 200 + n ps 0.6 * dot
}
unset multiplot
