# A simulated hand over time: (a) the force of the coupling, which the hand feels; (b) the force of the contact.
# quantities: force
# variants: *, at least 1
# needs: simulations.csv
# draws: work
file(i) = run.'/'.scenario.'/'.word(files, i).'.steps.csv'
column_a = 'coupling_n'
column_b = 'contact_n'
name_a = narrow ? 'coupling (N)' : 'force of the coupling (N)'
name_b = narrow ? 'contact (N)' : 'force of the contact (N)'
title = scenario.': forces'
load plots.'/steps.gp'
