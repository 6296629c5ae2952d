# The share of frames whose force is at most so many degrees off the exact force of the variant's own law, or of the area where
# it has none, for each family of algorithms.
# figure: forces-ist
# quantities: force
# variants: ist*, at least 1
# figure: forces-vps
# quantities: force
# variants: vps*, at least 1
# figure: forces-pst
# quantities: force
# variants: pst*, at least 1
# figure: forces-imp
# quantities: force
# variants: imp*, at least 1
# figure: forces-lpd
# quantities: force
# variants: lpd*, at least 1
angle(x) = x == x ? larger(x, 0.01) : NaN
title = scenario.': direction of the force'
keys = 'lines'
dummy = key('5 and 20 degrees', 'l101')
before = upright(50, 5, 101).upright(51, 20, 101)
x_ends = '0.01 180'
call panel 'angle to the exact force (degrees)' 'log' 'frames (%)' 'share' \
    "for [i = 1:count] file(i) using (angle(column('force_direction_deg'))):(1) smooth cnormal with steps ls i"
