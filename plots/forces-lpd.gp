# Forces of one family against the exact force (forces.gp).
# quantities: force
# variants: lpd*, at least 1
load plots.'/forces.gp'
