# needs-command: man
# The manual page has every command and every option of --help, in roff that man accepts.
"$proxbench" help --man >proxbench.1
sed -n '1s/proxbench [0-9.]*/proxbench VERSION/p' proxbench.1
GROFF_NO_SGR=1 MANWIDTH=80 man --warnings=w -E UTF-8 -l proxbench.1 2>&1 >page </dev/null
sed 's/.\x08//g' page | tr -s ' \n' ' ' >words
"$proxbench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
while read -r command; do
    grep -q "^\.SS $command\$" proxbench.1 || echo "$command has no section"
    "$proxbench" "$command" --help </dev/null | sed -n "s/^  --\([a-z-]*\).*/$command \1/p" >>options
done <commands
# An option begins a line in the section of its command, as \fB\-\-NAME\fR, with \- for each dash.
awk 'FNR == NR { if (/^\.S[SH] /) section = $2
        if (/^\\fB\\-\\-[^ ]*\\fR/) { name = substr($1, 8); sub(/\\fR.*/, "", name); gsub(/\\/, "", name); there[section, name] = 1 }
        next }
    $2 != "help" && !(($1, $2) in there) { print $1 " --" $2 " is not there" }' proxbench.1 options
[ "$(wc -l <commands)" -ge 12 ] && [ "$(wc -l <options)" -ge 80 ] || echo "only $(wc -l <options) options"
grep -o 'EXIT STATUS 0 good, 1 wrong answer' words
grep -o 'proxbench run --resume DIR' words | sort -u
grep -o -- '--mode MODE smoke, ci, bench or paper' words | sort -u
# Examples keep their line breaks.
sed 's/.\x08//g' page | grep -A1 "trajectory T.csv --quantity distance .$"
# Text that roff would interpret as a request, or as a dash.
grep -c "^\(\.[^A-Za-z]\|'\)" proxbench.1
grep -v '^\.' proxbench.1 | grep -c '[^\\]-'
true
