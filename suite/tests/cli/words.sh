# make check-words refuses a planted sentence.
printf '/** Whether it is closed. */\nbool closed;\n/* Set by whoever opens it. */\n/**\n * Of a mesh.\n */\n' >planted.c
printf 'Test(words, who_is_asked)\n' >>planted.c
"$root/suite/tests/words.sh" "$PWD/planted.c" | sed "s|$PWD/||"
printf '/** True if it is closed. Set by the caller of open. */\nbool closed;\n' >plain.c
echo 'This page is for readers who build from source.' >plain.md
"$root/suite/tests/words.sh" "$PWD/plain.c" "$PWD/plain.md"
echo "[$?]"
