# Entries of the legend: call legend 'b201 TEXT' ...; each begins with its look, as of key().
do for [n = 1:ARGC] { dummy = key(ARGV[n][strlen(word(ARGV[n], 1)) + 2:*], word(ARGV[n], 1)) }
