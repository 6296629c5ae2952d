#!/bin/sh
# words.sh [FILE...]: refuses words that hide the subject of a sentence, in C files, scripts and pages. Without FILE:
# in all files of the tree. Exit status 1 if it finds one. A line of the table has three parts:
#   word WORD INSTEAD    the word is refused in every line
#   code WORD INSTEAD    the word is refused in every line of a C file or script; a page may speak of persons
#   begin WORD INSTEAD   the word is refused as the first one of a comment of a C file
cd "$(dirname "$0")/../.." || exit
table='
word  whoever  the subject: the caller, the algorithm, the reader
word  whom     the subject: the caller, the algorithm, the reader
word  nobody   no caller, no file, not used
word  somebody a caller, a user
code  who      the subject: the caller, the variant, the worker
code  team     a thread pool
code  octet    a packet, a child mask
code  news     the thing that is new
begin Of       The ... of ...
begin That     a sentence with a subject
begin Whether  True if ...
begin What     The ... that ...
begin Who      a sentence with a subject
'
[ $# -gt 0 ] || set -- $(find *.md base geometry algorithms groundtruth scenarios suite docs examples packaging \
    -name '*.[ch]' -o -name '*.cpp' -o -name '*.sh' ! -name words.sh -o -name '*.md')
awk -v table="$table" '
    BEGIN {
        count = split(table, lines, "\n")
        for (i = 1; i <= count; i++) {
            if (split(lines[i], part, " +") < 3)
                continue
            instead = lines[i]
            sub("^" part[1] " +" part[2] " +", "", instead)
            if (part[1] == "word")
                words[part[2]] = instead
            else if (part[1] == "code")
                code[part[2]] = instead
            else
                begins[part[2]] = instead
        }
    }
    function refuse(word, instead) {
        printf "%s:%d: \047%s\047: write: %s\n", FILENAME, FNR, word, instead
        found = 1
    }
    FNR == 1 { opened = 0; is_c = FILENAME ~ /\.(c|h|cpp)$/ }
    tolower($0) ~ /who|nobody|somebody|team|octet|news/ {
        count = split(tolower($0), part, "[^a-z]+")
        for (i = 1; i <= count; i++)
            if (part[i] in words)
                refuse(part[i], words[part[i]])
            else if (part[i] in code && FILENAME !~ /\.md$/)
                refuse(part[i], code[part[i]])
    }
    is_c {
        text = $0
        if (opened && sub("^ *[*] +", "", text) || sub("^.*(/[*][*]?|//) +", "", text)) {
            split(text, part, "[^A-Za-z]+")
            if (part[1] in begins)
                refuse(part[1], begins[part[1]])
        }
        opened = $0 ~ "^ */[*][*]?$"
    }
    END { exit found }' "$@"
