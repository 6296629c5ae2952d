# needs-command: zsh
# Completion in zsh. Functions of this case replace those that control the line editor of zsh.
"$proxbench" completion zsh >_proxbench
zsh -n _proxbench
head -n 1 _proxbench
ln -s "$proxbench" proxbench
PATH=$PWD:$PATH
cat >complete <<'END'
compset() { # -P PATTERN: removes a prefix from the word
    local pattern=${2}
    words[CURRENT]=${words[CURRENT]#${~pattern}}
}
compadd() { print -rl -- ${(M)names:#${words[CURRENT]}*} }
_describe() { print -rl -- ${(M)described:#${words[CURRENT]}*} }
_files() { print -r -- "files $*" }
words=("$@") CURRENT=$#
set --
source ./_proxbench
END
complete() {
    printf '%s' '>'
    printf ' %s' "$@"
    echo
    zsh -f complete "$@" | sort -u | tr '\n' ';'
    echo
}
complete proxbench t
complete proxbench help tr
complete proxbench mesh c
complete proxbench trajectory --seed 3 follow t
complete proxbench completion ''
complete proxbench run smo
complete proxbench run smoke --mod
complete proxbench run smoke --mode ''
complete proxbench run smoke --mode=b
complete proxbench run smoke --launches ''
complete proxbench run --algorithm exact-
complete proxbench run --algorithm brute,exact-t
complete proxbench run --a bol
complete proxbench run --resume ''
complete proxbench truth smoke/gri
complete proxbench run smoke --scenario gri
echo '# all options of all commands are completed'
"$proxbench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
while read -r command; do
    "$proxbench" "$command" --help </dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort >expected
    zsh -f complete proxbench "$command" -- | sed 's/:.*//' | sort >offered
    cmp expected offered || echo "$command"
done <commands
wc -l <commands
