# Forces of one family against the exact force (forces.gp).
# quantities: force
# variants: pst*, at least 1
load plots.'/forces.gp'
