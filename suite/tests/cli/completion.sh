# check-all: it asks a shell for all options
# needs-command: bash
# Completion in bash. It offers every option.
"$proxbench" completion bash >script
bash -n script
ln -s "$proxbench" proxbench
PATH=$PWD:$PATH
mkdir -p folder/run 'a folder'
: >mesh.off
cat >offers <<'END'
compopt() { :; }
source ./script
# offers WORD...: sets COMPREPLY to the completions of the last word.
offers() {
    COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _proxbench
}
END
# complete WORD...: prints the completions of the last word.
cat >complete <<'END'
source ./offers
offers "$@"
printf '%s\n' "${COMPREPLY[@]}"
END
# One bash process for many completions.
cat >many <<'END'
source ./offers
show() {
    offers "$@"
    printf '>'
    printf ' %s' "$@"
    echo
    printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' '
    echo
}
show proxbench ''
show proxbench t
show proxbench --v
show proxbench help tr
show proxbench list ''
show proxbench mesh c
show proxbench trajectory ''
show proxbench trajectory follow ''
show proxbench trajectory --seed 3 follow t
show proxbench completion ''
show proxbench run smo
show proxbench figure lpd-x
show proxbench run smoke --mod
show proxbench run smoke --mode ''
show proxbench run smoke --mode = b
show proxbench run --mode = ci smo
show proxbench run smoke --launches ''
show proxbench run --quantity ''
show proxbench run --algorithm exact-
show proxbench run --algorithm brute,exact-t
show proxbench run --a bol
show proxbench run --a me
show proxbench run --resume ''
show proxbench compare f
show proxbench model qu
show proxbench truth smoke/gri
show proxbench run smoke --scenario gri
show proxbench list models --format ''
show proxbench query --quantity ''
show proxbench truth --quantity ''
show proxbench truth --method ''
show proxbench simulate --scene ''
show proxbench nonsense ''
END
bash many
echo '# all options of all commands are completed, and each offered value is valid'
"$proxbench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
while read -r command; do
    "$proxbench" "$command" --help </dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort >expected
    bash complete proxbench "$command" -- | sort >offered
    cmp expected offered || echo "$command"
done <commands
wc -l <commands
for mode in $(bash complete proxbench run smoke --mode ''); do
    "$proxbench" run smoke --mode "$mode" --scenario nothing 2>&1 | grep mode
done
for format in $(bash complete proxbench list models --format ''); do
    "$proxbench" list models --format "$format" >/dev/null || echo "$format"
done
for section in $(bash complete proxbench list ''); do
    "$proxbench" list "$section" >/dev/null || echo "$section"
done
for format in $(bash complete proxbench trajectory follow ''); do
    "$proxbench" trajectory import "$format" nowhere 2>&1 | grep format
done
for quantity in $(bash complete proxbench run --quantity ''); do
    "$proxbench" run --a box --b box --trajectory t.csv --quantity "$quantity" --algorithm floor 2>&1 |
        grep -i quantit
done
for method in $(bash complete proxbench truth --method ''); do
    "$proxbench" truth --a box --b box --trajectory t.csv --method "$method" 2>&1 | grep method
done
run completion
run completion fish
