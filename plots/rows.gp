# The variants' names, from top to bottom, left of the panel at x0, y0, y1. Set before: row_letters,
# how long a line may be. Variant i is at height i of the panel.
set yrange [count + 0.5:0.5]
set ytics ()
do for [i = 1:count] {
    set ytics add ('' i)
    entry = wrap(label(i), row_letters)
    middle = y1 - (i - 0.5) * (y1 - y0) / count + 0.5 * pitch * (lines(entry) - 1)
    do for [n = 1:lines(entry)] {
        part = line_of(entry, n)
        set label 100 + 20 * i + n part at screen sx(x0 - 0.8 * letter), sy(middle - pitch * (n - 1)) right font small_font
    }
}
