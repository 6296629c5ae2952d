# Noise of a force over time and frequency: what is left of it beside the ideal one, one panel a variant, with its name above it.
# figure: spectrogram
# quantities: force
# variants: *, at least 1
# needs: forces.csv
# each: spectrogram.csv
file(i) = run.'/'.scenario.'/'.word(files, i).'.spectrogram.csv'
columns = narrow || count == 1 ? 1 : 2
letters = floor((W / columns - letter) / (char * small))
loudest = -1e3
array names[count]
do for [i = 1:count] {
    stats file(i) using (column('f_hz') < 30 ? NaN : column('power_db')) nooutput name 'power'
    loudest = larger(loudest, power_max)
    stats table('forces') using (column('own') == 1 ? mine(i, column('force_noise_db')) : NaN) nooutput name 'noise'
    names[i] = wrap(sprintf('%s, noise %.1f dB', label(i), noise_max), letters)
}
# Colours are for what counts as noise, from 30 Hz on: below, there is the motion itself.
loudest = 10 * ceil(loudest / 10)
set cbrange [loudest - 80:loudest]
set cbtics loudest - 80, 20 scale 0.5 offset 0, format eq 'png' ? 0.4 : 0.7
# Dark is loud; told apart by the colour-blind and in grey.
set palette defined (0 '#FDE725', 1 '#5EC962', 2 '#21918C', 3 '#3B528B', 4 '#440154')
unset colorbox
title = scenario.': noise of the force'
dummy = key('30 Hz: above it is what counts as noise', 'l102')
foot_room = 5.5 * letter
high = narrow ? 80 : 105
do for [i = 1:count] {
    name_above = names[i]
    before = 'unset grid'
    if (i == count) {
        before = before."; set cbtics font small_font; set label 10 'power beside that of the ideal force (dB)' at screen 0.5, sy(0.7 * letter) center; \
            set colorbox horizontal user origin screen sx(axis_left), screen sy(3.6 * letter) size screen sx(W - axis_left - margin - letter), screen sy(0.8 * letter) - sy(0)"
    }
    x_name = i > count - columns ? 'time (s)' : ''
    y_name = i % columns == 1 % columns ? 'frequency (Hz)' : ''
    call panel x_name 'frames' y_name 'frames' \
        (sprintf("file(%d) using (column('t_s')):(column('f_hz')):(column('power_db')) with image, 30 with lines ls 102", i))
}
