# Figures of the paper on voxmaps and pointshells (VPS).

# The bodies of the scenario, and rows of builds.csv and build_ratios.csv: of the fixed one's voxmap, or of the moving one's
# pointshell.
body_a = ''
body_b = ''
take_body(key, name) = (body_a = key eq 'a' ? name : body_a, body_b = key eq 'b' ? name : body_b, 1)
find_bodies(pair) = sprintf("stats table('manifest') using (strcol('section') eq '%s' ? take_body(strcol('key'), strcol('value')) : 0) nooutput", pair)
eval find_bodies(scenario)
is_body(role) = strcol('role') eq role && strcol('body') eq (role eq 'fixed' ? body_a : body_b)
built(role, x) = is_body(role) && is_ours(strcol('file')) ? positive(x) : NaN
has(name, setting) = strstrt(name, setting) > 0
# A ratio of builds, or its inverse (power -1), with its interval over launches: `rows` is a condition that a row is drawn.
ratios(rows, x, power, look) = sprintf("build_ratios using (%s ? %s : NaN):(column('ratio')**%d):(or(column('lo'), column('ratio'))**%d):(or(column('hi'), column('ratio'))**%d) \
    with yerrorbars ls %d, build_ratios using (%s ? %s : NaN):(column('ratio')**%d) smooth unique with lines ls %d", rows, x, power, power, power, look, rows, x, power, look)

# (a) surface voxels that the old generator misses and has in excess against its tolerance, and the new ones; (b) how far points lie
# from the next one. The paper shows pictures: holes and excess of the old, none of the new.
# figure: vps-f5
# quantities: contact
# variants: vps*, at least 2
# draws: work
# needs: builds.csv
if (figure eq 'vps-f5') {
    behind(name) = has(name, 'tolerance=') ? name[strstrt(name, 'tolerance=') + 10:*] : '0'
    tolerance_of(name) = real(has(behind(name), '_') ? behind(name)[1:strstrt(behind(name), '_') - 1] : behind(name))
    of(is_old, x) = has(strcol('file'), 'generator=old') == is_old ? built('fixed', 1) * x : NaN
    none = 0.5 # 0 has no place on a logarithmic axis
    # Those of a tolerance make the points of the generator without one, and have no row. Settings that are equal in all rows are
    # not named.
    drawn_rows = ''
    do for [i in row_variants] {
        name = word(files, int(i))
        if (!has(name, 'tolerance=') && !has(name, 'navigation=')) { drawn_rows = drawn_rows.i.' ' }
    }
    row_variants = drawn_rows
    row_label(k) = (entry = label(int(word(row_variants, k))), cut = strstrt(entry, ' tolerance=0'), cut > 0 ? entry[1:cut - 1] : entry)
    claim = 'paper: "too few or too many voxels" of the old, none of the new'
    title = scenario.': quality of voxels and points'
    call legend 'b202 old: missing (a)' 'b201 old: in excess (a)' 'p203 new, both (a)' \
        'p204 mean distance to the next point (b)' 'p205 its standard deviation / mean (c)'
    layout = '1 / 1 1'
    before = "set ytics add ('0' none)"
    y_holds = '10.0'
    call panel 'tolerance (edges of a voxel)' 'linear' 'voxels' 'count' \
        "builds using (of(1, tolerance_of(strcol('file')))):(larger(column('missing_voxels_count'), none)) smooth unique with linespoints ls 202, \
         builds using (of(1, tolerance_of(strcol('file')))):(larger(column('excess_voxels_count'), none)) smooth unique with linespoints ls 201, \
         builds using (of(0, 0)):(larger(column('missing_voxels_count'), none)) with points ls 203, \
         builds using (of(0, 0)):(larger(column('excess_voxels_count'), none)) with points ls 203"
    call panel 'spacing (mm)' 'linear' '' 'rows' \
        "builds using (built('moving', 1e3 * column('spacing_mean_m'))):(row_of(strcol('file'))) with points ls 204"
    x_name = narrow ? 'deviation' : 'deviation / mean'
    call panel x_name 'linear' '' 'rows' \
        "builds using (built('moving', column('spacing_deviation'))):(row_of(strcol('file'))) with points ls 205"
}

# Number of points against the number of voxels, of the old generator and the new one. The paper: the curves of the old "lie always
# above the solid ones".
# figure: vps-f6
# quantities: contact
# variants: vps*, at least 2
# draws: work
# needs: builds.csv
if (figure eq 'vps-f6') {
    points(is_old, look) = sprintf("builds using (has(strcol('file'), 'generator=old') == %d ? built('moving', column('voxels_count')) : NaN):(column('points_count')) \
        smooth unique with linespoints ls %d", is_old, look)
    shared = '' # the counts do not depend on it
    title = scenario.': number of points, old generator and new'
    claim = 'paper: curves of the old generator lie always above those of the new'
    call legend 'b202 old' 'b201 new'
    call panel 'voxels of the grid' 'count' 'points' 'count' (points(1, 202).', '.points(0, 201))
}

# Time of the old generator / time of the new one, with intervals over launches: (a) surface voxels against the number of voxels,
# (b) points against the number of points of the new one. The paper: 2 to 52 and 1.8 to 19; its table's examples by their letters.
# figure: vps-f7
# quantities: contact
# variants: vps*, at least 2
# draws: work
# needs: build_ratios.csv
# paper: vps-t1-a vps-t1-b vps-t1-c vps-t1-d vps-t1-e
if (figure eq 'vps-f7') {
    to_old(role, measure, new) = is_body(role) && strcol('parameter') eq 'generator' && strcol('measure') eq measure && \
        has(strcol('other_file'), 'generator=old') && (new eq 'paper' ? has(strcol('file'), 'generator=paper') : !has(strcol('file'), 'generator='))
    examples = !of_paper ? '' : scenario eq 'artificial' ? 'a f g' : scenario eq 'brake' ? 'b c h i' : scenario eq 'car' ? 'd e j' : ''
    title = scenario.': time of the old generator / time of the new'
    claim = 'paper: 2 to 52, growing with the resolution (a), and 1.8 to 19 (b)'
    dummy = key('new: the paper''s, navigation by triangle', 'b201')
    dummy = key('new: this suite''s', 'b203')
    if (examples ne '') { dummy = key('paper, examples of its table 1', 'p105') }
    set style line 105 lc rgb '#666666' lw 1.5 pt 6 ps 1.1 * dot
    do for [n = 1:2] {
        role = n == 1 ? 'fixed' : 'moving'
        measure = n == 1 ? 'stage_surface_ns' : 'stage_points_ns'
        amount = n == 1 ? 'voxels_count' : 'points_count'
        before = level(60, 1, 104)
        y_holds = '1.0'
        do for [example in examples] {
            if ((strstrt('abcde', example) > 0) == (n == 1)) {
                at_x = paper('T1'.example.(n == 1 ? '-voxels' : '-points'))
                at_y = paper('T1'.example)
                x_holds = x_holds.sprintf(' %.9e', at_x)
                y_holds = y_holds.sprintf(' %.9e', at_y)
                before = before.sprintf("; set label '%s' at %.9g, %.9g point ls 105 offset 0.6, 0.4 font small_font textcolor rgb '#666666'", example, at_x, at_y)
            }
        }
        drawn = ''
        do for [new in 'paper ours'] {
            rows = sprintf("to_old('%s', '%s', '%s')", role, measure, new)
            eval found("build_ratios", rows." ? column('ratio') : NaN")
            if (found_max > 0) { drawn = and(drawn, ratios(rows, "column('".amount."')", -1, new eq 'paper' ? 201 : 203)) }
        }
        x_name = n == 1 ? 'voxels of the grid' : 'points (of the new)'
        y_name = n == 1 ? 'voxmap: old / new' : 'pointshell: old / new'
        call panel x_name 'count' y_name 'log' drawn
    }
}

# What generators take for one body, by stages: (a) the voxmap of the fixed body, (b) the pointshell of the moving one. Rows of the
# paper's table 1, of (a) and of (b): a and f, artificial model; b and h, brake; c and i, brake; d and j, car; e, car, and g,
# artificial model.
# figure: vps-t1-a vps-t1-b vps-t1-c vps-t1-d vps-t1-e
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
# paper: vps-t1-a vps-t1-b vps-t1-c vps-t1-d vps-t1-e
if (figure[1:6] eq 'vps-t1') {
    letter_a = figure[8:8]
    letter_b = word('f h i j g', strstrt('abcde', letter_a))
    of_row(example, kind) = duration(paper('T1'.example.'-'.kind))
    others = 1353.0 # seconds, of the voxmap of another paper
    title = scenario.': time of the generators'
    call legend 'p203 load (a)' 'p204 initialise (a)' 'p201 surface voxels (a)' 'p202 fill (a)' 'p205 points (b)'
    if (of_paper) {
        dummy = key(sprintf('paper, old: %g s (a), %g s (b)', of_row(letter_a, 'old'), of_row(letter_b, 'old')), 'l101')
        dummy = key(sprintf('paper, new: %g s (a), %g s (b)', of_row(letter_a, 'new'), of_row(letter_b, 'new')), 'l102')
        dummy = key(sprintf('paper, fill: %g s (a)', of_row(letter_a, 'fill')), 'l104')
    }
    if (of_paper && figure eq 'vps-t1-e') {
        dummy = key(sprintf('McNeely, 4.59e8 voxels of 2.76e6 triangles: %g s (a)', others), 'l103')
        before = upright(4, others, 103)
        x_holds = sprintf('%.9e', others)
    }
    stage(role, name, look) = sprintf("builds using (built('%s', duration(column('stage_%s_ns')))):(row_of(strcol('file'))) with points ls %d", role, name, look)
    layout = '1 / 1'
    do for [p = 1:2] {
        do for [n = 1:of_paper ? (p == 1 ? 3 : 2) : 0] {
            theirs = of_row(p == 1 ? letter_a : letter_b, word('old new fill', n))
            before = before.upright(n, theirs, int(word('101 102 104', n)))
            x_holds = x_holds.sprintf(' %.9e', theirs)
        }
        if (p == 1) {
            call panel 'voxmap: time of a stage' 'time' '' 'rows' \
                (stage('fixed', 'load', 203).', '.stage('fixed', 'initialise', 204).', '.stage('fixed', 'fill', 202).', '.stage('fixed', 'surface', 201))
        } else {
            call panel 'pointshell: time' 'time' '' 'rows' (stage('moving', 'points', 205))
        }
    }
}

# Time of the surface voxels by each navigation against the number of voxels. The paper: the second approach is the faster one only
# beyond 1.98e8 voxels (artificial model), 6.1e7 (brake) and 4.66e7 (car).
# figure: vps-x1
# quantities: contact
# variants: vps:generator=paper*, at least 2
# paper: vps-x1
# draws: work
# needs: builds.csv
# The time to find the surface voxels with navigation=auto, divided by the time with navigation=first, and also divided by the time
# with navigation=second. x: the number of voxels of the grid. Intervals are over launches. Where neither ratio is above 1, the
# automatic choice is as fast as the better approach.
# figure: vps-x5
# quantities: contact
# variants: vps:generator=paper*, at least 2
# draws: work
# needs: build_ratios.csv
navigates(name, by) = by eq 'auto' ? !has(name, 'navigation=') && !has(name, 'flood=') : has(name, 'navigation='.by)
drawn = ''
if (figure eq 'vps-x1') {
    do for [n = 1:4] {
        time = sprintf("navigates(strcol('file'), '%s') ? built('fixed', spent('stage_surface_ns')) : NaN", word('first second auto box', n))
        eval found("builds", time)
        if (found_max > 0) {
            dummy = key(word('"first approach" "second approach" auto "the whole box"', n), sprintf('b%d', 200 + n))
            drawn = and(drawn, sprintf("builds using (column('voxels_count')):(%s) smooth unique with linespoints ls %d", time, 200 + n))
        }
    }
    title = scenario.': time of the surface voxels, by navigation'
    claim = 'paper: the second approach "turns out to be faster only from certain high resolutions on"'
    crossover = of_paper ? paper(scenario eq 'artificial' ? 'X1a' : scenario eq 'brake' ? 'X1b' : scenario eq 'car' ? 'X1c' : '') : NaN
    if (crossover > 0) {
        dummy = key(sprintf('paper: second is faster from %gM', 1e-6 * crossover), 'l101')
        before = upright(1, crossover, 101)
        x_holds = sprintf('%.9e', crossover)
    }
    call panel 'voxels of the grid' 'count' 'time' 'time' drawn
}
if (figure eq 'vps-x5') {
    do for [n = 1:2] {
        rows = sprintf("is_body('fixed') && strcol('measure') eq 'stage_surface_ns' && navigates(strcol('file'), 'auto') && navigates(strcol('other_file'), '%s')", word('first second', n))
        eval found("build_ratios", rows." ? column('ratio') : NaN")
        if (found_max > 0) { drawn = and(drawn, ratios(rows, "column('voxels_count')", 1, 200 + n)) }
    }
    title = scenario.': automatic choice of the approach to find surface voxels'
    claim = 'paper: wishes for an automatic choice'
    call legend 'b201 time of auto / time of the first approach' 'b202 time of auto / time of the second approach'
    before = level(1, 1, 104)
    y_holds = '0.9 1.1'
    call panel 'voxels of the grid' 'count' 'ratio of times' 'log' drawn
}

# Projections by Karush-Kuhn-Tucker conditions and by Voronoi regions, of flattened spheres NAME/1, NAME/4, ...: (a) their time,
# KKT / Voronoi, with intervals over launches; (b) the largest difference before and after refinement.
# figure: vps-x2
# quantities: contact
# variants: vps*, at least 2
# paper: vps-x2
# siblings: 1 4 16 64 256
# draws: work
# needs: build_ratios.csv
# The share of points on boundaries of triangles that the second phase takes, of all models.
# figure: vps-x3
# quantities: contact
# variants: vps*, at least 2
# paper: vps-x3
# siblings: artificial brake car coral
# draws: work
# needs: builds.csv
if (figure eq 'vps-x2' || figure eq 'vps-x3') {
    siblings = figure eq 'vps-x2' ? '1 4 16 64 256' : 'artificial brake car coral'
    base = scenario[1:strlen(scenario) - strlen(word(siblings, 1))]
    bodies = ''
    do for [name in siblings] {
        eval find_bodies(base.name)
        bodies = bodies.body_b.' '
    }
    sibling_from(name, n) = n > words(siblings) ? NaN : name eq word(bodies, n) ? n : sibling_from(name, n + 1)
    sibling(name) = strcol('role') eq 'moving' ? sibling_from(name, 1) : NaN
}
if (figure eq 'vps-x2') {
    aspect(n) = n == n ? 4**(n - 1) : NaN
    ratio = "strcol('measure') eq 'stage_project_ns' && !has(strcol('file'), 'projection=voronoi')"
    error(is_kkt, look) = sprintf("builds using (has(strcol('file'), 'projection=voronoi') != %d && is_ours(strcol('file')) ? aspect(sibling(strcol('body'))) : NaN):(column('projection_error_rel')) \
        smooth unique with linespoints ls %d", is_kkt, look)
    title = 'projection by KKT and by Voronoi regions, against the aspect of triangles'
    call legend 'b201 KKT / Voronoi (a)' 'b203 KKT (b)' 'b204 Voronoi (b)'
    times = ratios(ratio, "aspect(sibling(strcol('body')))", 1, 201)
    if (of_paper) {
        dummy = key(sprintf('paper: KKT takes %g %% (a)', percent(paper('X2'))), 'l101')
        times = times.", paper('X2') with lines ls 101"
    }
    x_ends = '0.8 300'
    y_holds = '1.1 1.0'
    call panel 'flattened to 1 / ...' 'log' 'time, KKT / Voronoi' 'log' times
    x_ends = '0.8 300'
    call panel 'flattened to 1 / ...' 'log' 'raw error (longest edge)' 'log %.0te%T' (error(1, 203).', '.error(0, 204))
}
if (figure eq 'vps-x3') {
    title = 'boundary points recovered in the second phase'
    do for [n = 1:4] { dummy = key(word(siblings, n), sprintf('b%d', 200 + n)) }
    shares = "for [n = 1:4] builds using (strcol('role') eq 'moving' && strcol('body') eq word(bodies, n) && is_ours(strcol('file')) ? column('points_count') : NaN):(share('recovered_share')) \
        smooth unique with linespoints ls 200 + n"
    if (of_paper) {
        dummy = key(sprintf('paper: %g to %g %%', percent(paper('X3a')), percent(paper('X3b'))), 'l101')
        shares = shares.", percent(paper('X3a')) with lines ls 101, percent(paper('X3b')) with lines ls 101"
    }
    call panel 'points' 'count' 'recovered (%)' 'log' shares
}

# Time of a query against the points of the pointshell, warm and with evicted caches, and what 8,000 points in a millisecond (the
# paper) and 50,000 take.
# figure: vps-x4
# quantities: contact depth force
# variants: vps*, at least 1
# paper: vps-x4
# draws: work
if (figure eq 'vps-x4') {
    rate(points, per_ms) = 1e-3 * points / per_ms
    title = scenario.': time against points'
    keys = 'points'
    times = "for [i = 1:count] cells using (mine(i, column('points_count_mean'))):(spent('time_mean_ns')) with points ls i"
    eval found("cells", "ours(column('time_evicted_p50_ns'))")
    if (found_max > 0) {
        dummy = key('caches evicted', 'p207')
        times = "cells using (ours(column('points_count_mean'))):(spent('time_evicted_p50_ns')) with points ls 207, ".times
    }
    eval found("cells", "ours(column('points_count_mean'))")
    y_holds = sprintf('%.9e', rate(found_max, of_paper ? paper('X4a') : 5e4))
    dummy = key('50,000 points in 1 ms', 'l104')
    rates = 'rate(x, 5e4) with lines ls 104'
    if (of_paper) {
        dummy = key(sprintf('paper: about %g points in 1 ms', paper('X4a')), 'l101')
        rates = rates.", rate(x, paper('X4a')) with lines ls 101"
    }
    call panel 'points of the pointshell' 'count' 'time' 'time' times rates
}

# Size of the force against the depth. The scenarios NAME/60, NAME/30, ... have plates that are 60, 30, ... mm thick. The depth increases
# by half a millimetre in each frame. Each variant has a panel. The paper: "thin surface-like regions produce weaker collision forces".
# figure: vps-x6
# quantities: force
# variants: vps*, at least 1
# siblings: 60 30 15 7.5 3.75 1.875
# draws: work
if (figure eq 'vps-x6') {
    siblings = '60 30 15 7.5 3.75 1.875'
    base = scenario[1:strlen(scenario) - strlen('60')]
    plate(i, n) = run.'/'.base.word(siblings, n).'/'.word(files, i).'.csv'
    size(x, y, z) = sqrt(x * x + y * y + z * z)
    title = base[1:strlen(base) - 1].': force against depth, by the thickness of the plate'
    claim = 'paper: "thin surface-like regions produce weaker collision forces than bulky solid objects"'
    do for [n = 1:6] { dummy = key(word(siblings, n).' mm', sprintf('b%d', 200 + n)) }
    heights = narrow ? '70 70 70' : '110 110 110'
    layout = count == 1 ? '1' : count == 2 ? '1 / 1' : '1 / 1 / 1'
    do for [i = 1:smaller(count, 3)] {
        name_above = label(i)
        call panel 'depth (mm)' 'frames' 'force (m)' 'linear' \
            (sprintf("for [n = 1:6] plate(%d, n) using (0.5 * column('frame')):(size(column('fx_m'), column('fy_m'), column('fz_m'))) with linespoints ls 200 + n ps 0.6 * dot", i))
    }
}
