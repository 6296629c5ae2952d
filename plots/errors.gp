# The error that the scenario's tolerance is on, as pareto.csv names it. After it:
#   error_of       its column in the files of frames; 'verdict' for contact
#   error_unit(x)  a value in the unit of error_name: degrees, or percent
#   error_name     "error of force (degrees)"
#   error_part     the unit alone: "degrees"
error_of = ''
take_error(text) = (error_of = error_of eq '' ? text : error_of, 1)
stats run.'/pareto.csv' using (strcol('scenario') eq scenario && strcol('quantity') eq quantity ? take_error(strcol('error')) : 0) nooutput
error_has(end) = strlen(error_of) > strlen(end) && error_of[strlen(error_of) - strlen(end) + 1:*] eq end
error_unit(x) = error_has('_deg') ? x : percent(x)
error_part = error_has('_deg') ? 'degrees' : error_has('_size') ? '% of the size' : '% of the truth'
error_what = error_of eq 'force_direction_deg' ? 'error of force direction' : \
             error_of eq 'torque_direction_deg' ? 'error of torque direction' : \
             error_of eq 'depth_outside_rel' ? 'depth outside of its bracket' : \
             error_of eq 'depth_left_rel' ? 'overlap left' : 'error of '.quantity
error_name = quantity eq 'contact' ? 'wrong verdicts (% of frames)' : error_what.' ('.error_part.')'
