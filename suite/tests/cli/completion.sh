# needs-command: bash
# What bash completes, and that every option is among it.
"$proxbench" completion bash >script
bash -n script
ln -s "$proxbench" proxbench
PATH=$PWD:$PATH
mkdir -p folder/run 'a folder'
: >mesh.off
# complete WORD...: what is offered for the last word
cat >complete <<'END'
compopt() { :; }
source ./script
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_proxbench
printf '%s\n' "${COMPREPLY[@]}"
END
complete() {
    printf '%s' '>' 
    printf ' %s' "$@"
    echo
    bash complete "$@" | sort -u | tr '\n' ' '
    echo
}
complete proxbench ''
complete proxbench t
complete proxbench --v
complete proxbench help tr
complete proxbench list ''
complete proxbench mesh c
complete proxbench trajectory ''
complete proxbench trajectory follow ''
complete proxbench trajectory --seed 3 follow t
complete proxbench completion ''
complete proxbench run smo
complete proxbench run smoke --mod
complete proxbench run smoke --mode ''
complete proxbench run smoke --mode = b
complete proxbench run --mode = ci smo
complete proxbench run smoke --launches ''
complete proxbench run --quantity ''
complete proxbench run --algorithm exact-
complete proxbench run --algorithm brute,exact-t
complete proxbench run --a bol
complete proxbench run --a me
complete proxbench run --resume ''
complete proxbench compare f
complete proxbench model qu
complete proxbench truth smoke/gri
complete proxbench run smoke --scenario gri
complete proxbench list models --format ''
complete proxbench query --quantity ''
complete proxbench truth --quantity ''
complete proxbench nonsense ''
echo '# every option of every command; and what is offered for a value is taken'
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
