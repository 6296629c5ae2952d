# A report in a browser: tables, the deadline slider, frames in 3D, two runs, a browser without 3D.
# check-all: a browser takes half a minute
# needs-command: chromium
# needs-command: chromedriver
# needs-python: http.client
cat >near.cfg <<'END'
name = "near";
title = "Fast & <img src=x onerror=hacked()>";
mode = "smoke";
variants = ("exact-distance", "exact-volume", { algorithm = "ist"; voxels = [8, 16]; }, "lpd");
scenarios = (
  { name = "near"; a = "torus:triangles=800"; b = "sphere:triangles=320";
    quantities = "distance"; variants = "exact-distance, ist*"; tolerance = "distance_error_rel=0.01";
    trajectory = { kind = "sphere"; target = "distance"; lo = 0.0; hi = 0.3; frames = 30; }; },
  { name = "press"; a = "torus:triangles=800"; b = "sphere:triangles=320";
    quantities = ["force", "contact"]; variants = "exact-volume, exact-distance, ist*, lpd";
    tolerance = "force_direction_deg=10";
    trajectory = { kind = "glide"; target = "volume"; lo = 0.001; hi = 0.05; frames = 20; }; }
);
END
"$proxbench" run near.cfg --cache cache --out made >run.txt 2>&1 || cat run.txt
cp -r made other
"$proxbench" report made --cache cache >/dev/null
"$proxbench" report made other --cache cache --out two.html >/dev/null
PROXBENCH_THREE=none "$proxbench" report made --cache cache --out plain.html >/dev/null 2>&1
"$python" -B "$root/suite/report/tests/report.py" made/report.html made two.html plain.html 2>/dev/null
