# Opens the picture: title, legend, and the room between them. Set before:
#   title      one line; what all variants share goes below it
#   body       height of the room for panels, in points
#   keys       "lines", "points" or "linespoints": how variants are in the legend; '' for not at all
#   claim      what a paper says of it
#   remark     what a reader must know to read it rightly, also without a title
# and further entries of the legend by key(text, look), the look being the number of a style with
# l, p or b before it for lines, points or both.
# After it, sx(points from the left) and sy(points above the room's lower end) are places on the
# screen; panel.gp makes the panels.
key_count = (keys eq '' ? 0 : count) + words(more_keys)
key_text(i) = i <= key_count - words(more_keys) ? label(i) : word(more_keys, i - key_count + words(more_keys))
key_with(i) = i <= key_count - words(more_keys) ? keys[1:1].(keys eq 'linespoints' ? 'b' : '') : word(more_looks, i - key_count + words(more_keys))[1:1]
key_look(i) = i <= key_count - words(more_keys) ? i : int(word(more_looks, i - key_count + words(more_keys))[2:*])

# The legend: below the panels, in as many columns as take the fewest lines; of those the fewest.
# An entry that is cut counts a quarter more for each cut.
sample = 2.6 * letter
letters_of(n) = floor(((W - 2 * margin + letter) / n - sample - 2 * letter) / (char * letter))
key_least = 1e9
key_longest = 0
key_letters = letters_of(1)
do for [key_try = 1:smaller(6, key_count)] {
    key_total = 0
    key_wide = 0
    do for [r = 1:ceil(key_count / real(key_try))] {
        key_most = 0
        do for [i = (r - 1) * key_try + 1:smaller(r * key_try, key_count)] {
            entry = wrap(key_text(i), letters_of(key_try))
            key_most = larger(key_most, lines(entry))
            key_wide = larger(key_wide, longest(entry))
            key_total = key_total + 0.25 * larger(0, lines(entry) - 1)
        }
        key_total = key_total + key_most
    }
    if (key_total < key_least && (key_try == 1 || key_wide <= letters_of(key_try))) {
        key_least = key_total
        key_longest = key_wide
        key_letters = letters_of(key_try)
    }
}
key_letter = smaller(letter, (W - 2 * margin - sample - letter) / (char * larger(1, key_longest)))
key_column = sample + letter + char * key_letter * key_longest + letter
key_columns = larger(1, smaller(key_count, floor((W - 2 * margin + letter) / key_column)))
key_rows = ceil(key_count / real(key_columns))
key_columns = key_rows > 0 ? ceil(key_count / real(key_rows)) : 1
key_column = larger(key_column, smaller(1.3 * key_column, (W - 2 * margin) / key_columns))
array key_lines[key_rows + 1]
do for [r = 1:key_rows + 1] { key_lines[r] = 0 }
do for [i = 1:key_count] {
    r = (i - 1) / key_columns + 1
    key_lines[r] = larger(key_lines[r], lines(wrap(key_text(i), key_letters)))
}
key_height = 1.5 * margin
do for [r = 1:key_rows] { key_height = key_height + pitch * key_lines[r] }

# Title and what is shared, above.
title_text = titled ? wrap(title, floor((W - 2 * margin) / (1.1 * letter * char))) : ''
shared_text = titled ? wrap(shared, floor((W - 2 * margin) / (small * char))) : ''
claim_text = titled && of_paper ? wrap(claim, floor((W - 2 * margin) / (small * char))) : ''
remark_text = wrap(remark, floor((W - 2 * margin) / (small * char)))
note_text = smoke ? 'smoke run: each frame once, times say nothing' : ''
head = margin + pitch * (lines(title_text) + lines(shared_text) + lines(claim_text) + lines(remark_text) + lines(note_text))
H = key_height + body + head

scale = format eq 'pdf' ? 1 : width_mm == 0 ? 2 : format eq 'png' ? 300 / 72.0 : 1
# pngcairo takes a point for 1/72 of an inch of 96 dots, and so does pdfcairo (fontscale, below).
font_scale = format eq 'png' ? 0.75 * scale : scale
font(points) = sprintf(',%.3f', points * font_scale)
the_font = 'DejaVu Sans'.font(letter)
small_font = font(small)
title_font = font(1.1 * letter)
key_font = font(key_letter)
if (format eq 'png') {
    set terminal pngcairo size ceil(W * scale), ceil(H * scale) font the_font noenhanced linewidth 0.5 * scale pointscale 0.5 * scale
}
if (format eq 'svg') {
    set terminal svg size ceil(W * scale), ceil(H * scale) font the_font noenhanced linewidth 0.5 * scale dynamic background '#FFFFFF' name 'figure'
}
if (format eq 'pdf') {
    set terminal pdfcairo size W / 72 in, H / 72 in font the_font noenhanced fontscale 0.75 linewidth 1
}
set xtics font small_font offset 0, format eq 'png' ? 0 : 0.3
set ytics font small_font

sx(points) = points / W
sy(points) = (key_height + points) / H
y = H - margin - 0.5 * pitch
do for [k = 1:4] {
    above_panels = k == 1 ? title_text : k == 2 ? shared_text : k == 3 ? claim_text : remark_text
    do for [n = 1:lines(above_panels)] {
        entry = line_of(above_panels, n)
        set label 1000 + 50 * k + n entry at screen 0.5, y / H center font (k == 1 ? title_font : small_font) textcolor rgb (k == 2 || k == 3 ? '#444444' : '#000000')
        y = y - pitch
    }
}
set label 1300 note_text at screen 0.5, y / H center font small_font textcolor rgb '#B03000'

key_width = key_columns * key_column - letter
key_left = larger(margin, (W - key_width) / 2)
y = key_height - 0.5 * pitch
do for [i = 1:key_count] {
    column = (i - 1) % key_columns
    r = (i - 1) / key_columns + 1
    if (i > 1 && column == 0) { y = y - pitch * key_lines[r - 1] }
    x = key_left + column * key_column
    entry = wrap(key_text(i), key_letters)
    middle = y - 0.5 * pitch * (lines(entry) - 1)
    if (key_with(i) ne 'p') {
        set arrow 3000 + i from screen x / W, middle / H to screen (x + sample) / W, middle / H nohead ls key_look(i)
    }
    if (key_with(i) ne 'l') {
        set label 4000 + i '' at screen (x + 0.5 * sample) / W, middle / H point ls key_look(i)
    }
    do for [n = 1:lines(entry)] {
        part = line_of(entry, n)
        set label 5000 + 20 * i + n part at screen (x + sample + 0.6 * letter) / W, (y - pitch * (n - 1)) / H left font key_font
    }
}
