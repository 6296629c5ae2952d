# Every command prints help, from the table that parses its options.
run --help
for command in list query truth trajectory model mesh plot; do
    run help $command
done
echo '# help and --help of each command agree, name the command and give an example'
"$proxbench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
while read -r command; do
    "$proxbench" help "$command" >one && "$proxbench" "$command" --help >two && cmp one two &&
        grep -q "^usage: proxbench $command" one && grep -q '^  --help ' one &&
        grep -q "proxbench $command" one && grep -qi '^Example' one || echo "$command: no"
done <commands
[ "$(wc -l <commands)" -ge 8 ] || echo 'too few commands'
"$proxbench" --version | grep -Eq '^proxbench [0-9]+\.[0-9]+\.[0-9]+ \(.*, [a-z]+\)$' || echo 'no version'
