# Rows of everything there is.
cd "$root" || exit 1
for what in algorithms models experiments scenarios; do
    "$proxbench" list $what --format csv | head -n 1
    rows=$("$proxbench" list $what --format csv | wc -l)
    [ "$rows" -ge 2 ] || echo "$what: none"
    "$proxbench" list $what >/dev/null || echo "$what: [$?]"
done
"$proxbench" list | grep -c '^[a-z]* .*  *[a-z]*$' >/dev/null || echo 'no table'
echo '# a scenario by its name'
name=$("$proxbench" list scenarios --format csv | sed -n 2p | cut -d, -f1)
run truth "${name%?}"x | sed -e '1d' -e "s|'[^']*'|'...'|g"
run truth nowhere/there
cd / && run list experiments
