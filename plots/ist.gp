# Figures of the paper on inner sphere trees (IST).

# Penetration volume and direction of the force along a path on which one organic body scrapes along another. The paper shows a
# picture: a direction that turns without a jump. Here the direction is drawn part by part, beside that of the exact volume's gradient.
# figure: ist-f6
# quantities: volume
# variants: ist*, at least 1
# beside: exact-volume
if (figure eq 'ist-f6') {
    exact = run.'/'.scenario.'/exact-volume.csv'
    # A force becomes a direction: a vector as long as 1.
    direction(part, x, y, z) = part / sqrt(x**2 + y**2 + z**2)
    force(side) = direction(column('f'.side.'_m3'), column('fx_m3'), column('fy_m3'), column('fz_m3'))
    pressure(side) = direction(column('f'.side.'_m2'), column('fx_m2'), column('fy_m2'), column('fz_m2'))
    stats file(1) using (column('truth_volume_lo_m3')) nooutput
    most = STATS_max
    title = scenario.': penetration volume and direction of the force'
    keys = 'lines'
    dummy = key('truth: the volume, and its gradient', 'l100')
    layout = '1 / 1 / 1 / 1'
    heights = narrow ? '80 40 40 40' : '110 55 55 55'
    y_name = 'volume ('.cubic_name(most).')'
    call panel '' 'frames' y_name 'linear' \
        "for [i = 1:count] file(i) using (column('frame')):(cubic(most) * column('volume_m3')) with lines ls i, \
         file(1) using (column('frame')):(cubic(most) * column('truth_volume_lo_m3')) with lines ls 100"
    do for [side in 'x y z'] {
        y_ends = '-1 1'
        x_name = side eq 'z' ? 'frame' : ''
        call panel x_name 'frames' ('force '.side) 'linear' \
            (sprintf("for [i = 1:count] file(i) using (column('frame')):(force('%s')) with lines ls i, \
                      exact using (column('frame')):(pressure('%s')) with lines ls 100", side, side))
    }
}

# (a) time and (b) error against the number of spheres, of inner sphere trees that differ in nothing else. F7: the oil pump, distances
# of 0-20 % of the size. F8: the bolt, penetrations of 0-10 % of the volume.
# figure: ist-f7
# quantities: distance
# variants: @(ist|ist:voxels=+([0-9])), at least 2
# paper: ist-f7
# figure: ist-f8
# quantities: volume
# variants: @(ist|ist:voxels=+([0-9])), at least 2
# paper: ist-f8
# Memory of both bodies against the number of spheres. The paper: similar to other bounding volume hierarchies, "always in the
# order of a few MB".
# figure: ist-t3
# quantities: distance volume
# variants: @(ist|ist:voxels=+([0-9])), at least 2
against_spheres(value, look) = sprintf("cells using (ours(column('primitives_a_count'))):(ours(%s)) smooth unique with linespoints ls %d", value, look)
level_line(value, look) = sprintf(', %.9e with lines ls %d', value, look)
of_method(name, x) = strcol('file') eq name ? here(x) : NaN # of one that may take no part in the figure
if (figure eq 'ist-f7' || figure eq 'ist-f8') {
    by_volume = figure eq 'ist-f8'
    error = by_volume ? 'volume_error_rel' : 'distance_error_size'
    title = scenario.': '.quantity.', inner sphere trees by their number of spheres'
    call legend 'b201 mean' 'b202 maximum; of time, each frame at its fastest'
    times = against_spheres("spent('time_mean_ns')", 201).', '.against_spheres("spent('time_intrinsic_max_ns')", 202)
    errors = against_spheres("percent(column(error.'_mean'))", 201).', '.against_spheres("percent(column(error.'_max'))", 202)
    eval found("cells", "ours(column('time_evicted_p50_ns'))")
    if (found_max > 0) {
        dummy = key('median, caches evicted (a)', 'b203')
        times = times.', '.against_spheres("spent('time_evicted_p50_ns')", 203)
    }
    eval found("cells", "by_volume ? 0 : ours(column('distance_error_rel_mean'))")
    if (found_max > 0) {
        dummy = key('mean, in % of the distance, not of the size (b)', 'b204')
        errors = errors.', '.against_spheres("share('distance_error_rel_mean')", 204)
    }
    # Times of the exact methods that took part in the same run; FCL's RSS trees stand for PQP.
    exact_files = by_volume ? 'exact-volume exact-tetra' : 'exact-distance fcl_bv=rss'
    exact_names = by_volume ? '"exact, flux: mean (a)" "exact, tetrahedra: mean (a)"' : '"exact distance: mean (a)" "FCL, RSS trees: mean (a)"'
    do for [n = 1:2] {
        eval found("cells", "of_method(word(exact_files, n), spent('time_mean_ns'))")
        if (found_max > 0) {
            dummy = key(word(exact_names, n), sprintf('l%d', 204 + n))
            times = times.level_line(found_max, 204 + n)
        }
    }
    if (of_paper) {
        paper_mean_s = duration(paper(by_volume ? 'F8a' : 'F7h'))
        paper_end_s = duration(paper(by_volume ? 'F8f' : 'F7b'))
        paper_error = percent(paper(by_volume ? 'F8b' : 'F7c'))
        paper_spheres = by_volume ? '237,000' : '327,000'
        dummy = key(sprintf('paper: mean %g ms with %s spheres (a), error %g %% (b)', 1e3 * paper_mean_s, paper_spheres, paper_error), 'l101')
        dummy = key(sprintf('paper: %s %g ms (a)', by_volume ? 'lowest mean' : 'maximum', 1e3 * paper_end_s), 'l102')
        times = times.level_line(paper_mean_s, 101).level_line(paper_end_s, 102)
        errors = errors.level_line(paper_error, 101)
    }
    call panel 'spheres (fixed body)' 'count' 'time per frame' 'time' (times)
    call panel 'spheres (fixed body)' 'count' (by_volume ? 'error (% of truth)' : 'error (%)') 'log' (errors)
}
if (figure eq 'ist-t3') {
    title = scenario.': memory of both bodies'
    dummy = key('inner sphere trees', 'b201')
    bytes = against_spheres("column('build_bytes')", 201)
    exact_files = 'exact-distance exact-volume fcl_bv=rss fcl'
    exact_names = '"exact distance" "exact volume" "FCL, RSS trees" "FCL, OBBRSS trees"'
    do for [n = 1:4] {
        eval found("cells", "of_method(word(exact_files, n), column('build_bytes'))")
        if (found_max > 0) {
            dummy = key(word(exact_names, n), sprintf('l%d', 202 + n))
            bytes = bytes.level_line(found_max, 202 + n)
        }
    }
    if (of_paper) {
        dummy = key('paper, a few MB: 5 MB', 'l101')
        bytes = bytes.level_line(5e6, 101)
    }
    call panel 'spheres (fixed body)' 'count' 'memory' 'log %.0s %cB' (bytes)
}

# Distance or volume per frame, every variant and the truth; below, the error.
# figure: ist-f9
# quantities: distance volume
# variants: *, at least 1
if (figure eq 'ist-f9') {
    by_volume = quantity eq 'volume'
    value = by_volume ? 'volume_m3' : 'distance_m'
    truth = by_volume ? 'truth_volume_lo_m3' : 'truth_distance_lo_m'
    error = by_volume ? 'volume_error_rel' : 'distance_error_size'
    stats file(1) using (column(truth)) nooutput
    unit = by_volume ? cubic(STATS_max) : 1e3
    # An error of 0 has no place on a logarithmic axis: it is drawn as the least one.
    least = 1e-4
    shown(e) = e == e ? larger(abs(percent(e)), least) : NaN
    title = scenario.': '.quantity.' per frame'
    keys = 'lines'
    dummy = key('truth', 'l100')
    layout = '1 / 1'
    heights = narrow ? '80 80' : '140 140'
    call panel '' 'frames' (by_volume ? 'volume ('.cubic_name(STATS_max).')' : 'distance (mm)') 'linear' \
        "for [i = 1:count] file(i) using (column('frame')):(unit * column(value)) with lines ls i, \
         file(1) using (column('frame')):(unit * column(truth)) with lines ls 100"
    before = "if (lo <= least) { set ytics add ('≤1e-4' least) }"
    call panel 'frame' 'frames' (by_volume ? 'error (% of truth)' : 'error (% of size)') 'log' \
        "for [i = 1:count] file(i) using (column('frame')):(shown(column(error))) with lines ls i"
}

# One traversal for distance and volume, or one for each: sphere tests (the same on every machine) and time of each frame. The paper:
# the unified one "does not have to visit them again". Drawn for the run's first variant, from the scenarios NAME/distance, NAME/volume
# and NAME/unified.
# figure: ist-a6
# quantities: distance
# variants: ist*, at least 1
# siblings: distance volume unified
# draws: work
if (figure eq 'ist-a6') {
    queries = 'distance volume unified'
    base = scenario[1:strlen(scenario) - strlen('/distance')]
    of_query(n) = run.'/'.base.'/'.word(queries, n).'/'.word(files, 1).'.csv'
    title = base.': '.label(1).', asked for distance, for volume, for both'
    claim = 'paper: a unified query visits nothing twice'
    do for [n = 1:3] { dummy = key(word(queries, n), sprintf('l%d', 200 + n)) }
    layout = '1 / 1'
    heights = narrow ? '80 80' : '140 140'
    call panel '' 'frames' 'sphere tests' 'count' \
        "for [n = 1:3] of_query(n) using (column('frame')):(column('bv_tests_count')) with lines ls 200 + n"
    call panel 'frame' 'frames' 'time' 'time' \
        "for [n = 1:3] of_query(n) using (column('frame')):(spent('time_median_ns')) with lines ls 200 + n"
}

# Heavy penetration, up to 50 % of the volume: time of each frame against what overlaps. The paper included it "to stress our
# algorithm"; 1 kHz "may not always be met".
# figure: ist-t1
# quantities: volume
# variants: *, at least 1
# paper: ist-t1
if (figure eq 'ist-t1') {
    stats file(1) using (column('truth_volume_lo_m3')) nooutput
    most = STATS_max
    title = scenario.': time per frame against the volume that overlaps'
    keys = 'points'
    times = "for [i = 1:count] file(i) using (cubic(most) * column('truth_volume_lo_m3')):(spent('time_median_ns')) with points ls i ps 0.7 * dot"
    if (of_paper) {
        dummy = key('paper: 1 kHz, may be missed', 'l101')
        times = times.", duration(paper('T1a')) with lines ls 101"
    }
    x_name = 'true intersection volume ('.cubic_name(most).')'
    call panel x_name 'linear' 'time per frame' 'time' (times)
}

# Cost of the tetrahedral ground truth. The paper: "in the order of 0.5 sec/frame".
# figure: ist-t2
# quantities: volume
# variants: *, at least 1
# paper: ist-t2
if (figure eq 'ist-t2') {
    title = scenario.': time of a volume, by method'
    call legend 'p201 mean' 'p202 maximum, each frame at its fastest'
    if (of_paper) {
        dummy = key(sprintf('paper, tetrahedra: %g s', duration(paper('T2'))), 'l101')
        before = upright(1, duration(paper('T2')), 101)
        x_holds = sprintf('%.9e', duration(paper('T2')))
    }
    call panel 'time per frame' 'time' '' 'rows' \
        "cells using (ours(spent('time_mean_ns'))):(row_of(strcol('file'))) with points ls 201, \
         cells using (ours(spent('time_intrinsic_max_ns'))):(row_of(strcol('file'))) with points ls 202"
}

# Mean time against the number of triangles, of scenarios NAME/20k, NAME/50k, ..., in which spheres are as many. The paper: the time
# of a query is independent of the geometry's complexity.
# figure: ist-t4
# quantities: distance volume
# variants: *, at least 1
# siblings: 20k 50k 100k 200k
if (figure eq 'ist-t4') {
    base = scenario[1:strlen(scenario) - strlen('20k')]
    triangles(name) = name[1:strlen(base)] eq base ? 1e3 * int(name[strlen(base) + 1:strlen(name) - 1]) : NaN
    title = base[1:strlen(base) - 1].': '.quantity.', time against triangles at one number of spheres'
    claim = 'paper: spheres take as long whatever the number of triangles'
    keys = 'linespoints'
    call panel 'triangles of both bodies' 'count' 'mean time' 'time' \
        "for [i = 1:count] cells using (triangles(strcol('scenario'))):(strcol('file') eq word(files, i) ? spent('time_mean_ns') : NaN) \
         smooth unique with linespoints ls i"
}

# For which bodies inner spheres give good volumes. In each scenario, a body is tested against a copy of itself. A point is drawn for each
# scenario and variant. y: the error of the volume. x: the number of spheres in the body; thin bodies have few. All variants use the
# number of the variant with radius=shares, or of the first variant, so that the points of a body are above each other. A line marks the
# body of the picture's own scenario. A body with a single sphere is left out.
# figure: ist-thin
# quantities: volume
# variants: @(ist*|bounds-budget*), at least 2
if (figure eq 'ist-thin') {
    counted = word(files, 1)
    do for [name in files] { counted = strstrt(name, 'radius=shares') > 0 ? name : counted }
    spheres = ' '
    remember(name, n) = (spheres = int(n) > 1 ? spheres.name.' '.n.' ' : spheres, 1)
    stats cells using (strcol('file') eq counted && strcol('status') eq 'ok' ? remember(strcol('scenario'), strcol('primitives_a_count')) : 0) nooutput
    place(name) = strstrt(spheres, ' '.name.' ')
    spheres_of(name) = place(name) > 0 ? real(word(spheres[place(name) + 1:*], 2)) : NaN
    is_of(i) = strcol('file') eq word(files, i)
    against_spheres(value) = sprintf("for [i = 1:count] cells using (spheres_of(strcol('scenario'))):(is_of(i) ? share('%s') : NaN) with points ls i", value)
    title = 'volume of bodies that few or many spheres fit into; the line: '.scenario
    keys = 'points'
    marked = place(scenario) > 0 ? upright(1, spheres_of(scenario), 104) : ''
    before = marked
    call panel 'spheres in a body' 'count' 'mean error (% of truth)' 'log' (against_spheres('volume_error_rel_mean'))
    before = marked
    call panel 'spheres in a body' 'count' 'largest error (% of truth)' 'log' (against_spheres('volume_error_rel_max'))
}

# Variants beside the paper's choice, which is the run's baseline: (a) time of a query relative to it, with the interval over launches;
# then (b) errors, and (c) what building takes.
# figure: ist-a1 ist-a2 ist-a3 ist-a4
# quantities: distance volume
# variants: ist*, at least 2
# needs: compare.csv
# figure: ist-a5
# quantities: volume
# variants: ist*, at least 2
# needs: compare.csv
if (figure[1:5] eq 'ist-a' && figure ne 'ist-a6') {
    claim = figure eq 'ist-a1' ? 'paper: "a branching factor of 4 produces the best results"' : \
            figure eq 'ist-a2' ? 'paper: neural gas is "much better" than biggest spheres or most neighbours, magnification better still' : \
            figure eq 'ist-a3' ? 'paper: the adaptive stop gives the same hierarchy and a much faster build' : \
            figure eq 'ist-a4' ? 'paper: wrapped hierarchies are tighter; it states no time' : \
            'paper: primary radii give "bad lower bounds", secondary ones an error of about 0.5 %'
    error = quantity eq 'volume' ? 'volume_error_rel_mean' : 'distance_error_size_mean'
    # The baseline has the interval of its second copy against itself, or none.
    is_twin(name) = strstrt(name, '_twin') > 0
    without_twin(name) = is_twin(name) ? name[1:strlen(name) - 5] : name
    ratio(x) = strcol('metric') eq 'query_ns' && strcol('protocol') eq 'warm' ? here(x) : NaN
    title = scenario.': '.quantity.', '.count.' variants'
    layout = narrow ? '1 / 1 1' : '44 28 28'
    set errorbars 0
    before = upright(5, 1, 101)."set label 5 'baseline' at 1, graph 1 offset 0, 0.6 center font small_font textcolor rgb '#666666'"
    x_holds = '0.9 1.1'
    call panel 'time of a query / that of the baseline' 'log' '' 'rows' \
        "table('compare') using (ratio(column('ratio'))):(row_of(without_twin(strcol('file')))):(or(column('lo'), column('ratio'))):(or(column('hi'), column('ratio'))) \
             with xerrorbars ls 201 lw 3 pt 0, \
         table('compare') using (ratio(column('ratio'))):(row_of(without_twin(strcol('file')))) with points ls 201, \
         cells using (ours(strcol('baseline') eq '' ? 1 : NaN)):(row_of(strcol('file'))) with points ls 201"
    x_name = narrow ? 'error (%)' : quantity eq 'volume' ? 'error (% of truth)' : 'error (% of size)'
    call panel x_name 'linear' '' 'rows' "cells using (ours(percent(column(error)))):(row_of(strcol('file'))) with points ls 202"
    call panel 'build (s)' 'linear' '' 'rows' "cells using (ours(spent('build_ns'))):(row_of(strcol('file'))) with points ls 203"
}
