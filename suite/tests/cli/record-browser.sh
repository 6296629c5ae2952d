# check-all: drives a browser, in a minute
# needs-command: chromium
# needs-command: chromedriver
# needs-python: http.client
# The page of `record`: drag, turn, record, trim, run; no error, no request elsewhere. SHOTS=DIR keeps pictures.
box a.off 0 0 0 1
box b.off 0 0 0 0.6
"$python" -B "$root/suite/tests/recorder_browser.py" "$proxbench" ${SHOTS:+"$SHOTS"} 2>&1
