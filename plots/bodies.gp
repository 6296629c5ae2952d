# The bodies of a scenario, as builds.csv and build_ratios.csv name them, up to a comma. Set before: pair, its name. After it:
# body_a and body_b.
body_a = ''
body_b = ''
take_body(key, name) = (body_a = key eq 'a' ? name : body_a, body_b = key eq 'b' ? name : body_b, 1)
stats run.'/manifest.csv' using (strcol('section') eq pair ? take_body(strcol('key'), strcol('value')) : 0) nooutput
