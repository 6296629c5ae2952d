# needs-python: pandas
# Every file can be read with pandas.read_csv(FILE) without options, and no name in it is taken for
# a missing value. pandas treats words such as null, NA and None as missing, and a column of numbers
# becomes text if one of its fields is not a number.
cube_poses
"$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity unified --mode bench --launches 7 \
    --quiet --cache cache --out run --algorithm 'ist:voxels=16,bounds-budget,floor' >table 2>&1
"$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity contact --mode smoke --quiet \
    --cache cache --out contact --algorithm 'brute,floor' >table 2>&1
"$proxbench" compare run >report
"$proxbench" compare run --format csv >run/as-csv.csv
"$proxbench" compare run --for deadline=1ms,error=1% --format csv >run/fits.csv
"$proxbench" compare run run --format csv >run/two.csv 2>/dev/null
"$proxbench" truth --a a.off --b a.off --trajectory t.csv --no-cache >run/truth.csv
"$proxbench" check run --format csv --baseline "$root/results/reference/ci.csv" >run/check.csv 2>/dev/null
cp "$root/results/reference/ci.csv" run/baseline.csv
for section in algorithms models experiments variants scenarios scenes columns; do
    "$proxbench" list $section --format csv >run/list-$section.csv
done
"$proxbench" list columns --format csv >columns.csv
cat >read.py <<'END'
import glob, pandas, sys

columns = pandas.read_csv('columns.csv')
# Columns that may be empty. The reference says so for the files of a run, and this table for the
# others.
may_be_empty = {
    'list-algorithms.csv': {'distance', 'volume', 'force_unit', 'source', 'parameters', 'contact',
                            'depth', 'force', 'force_law'},
    'list-experiments.csv': {'figures', 'paper', 'item'},
    'list-variants.csv': {'baseline', 'triangle_limit', 'optional'},
    'list-scenarios.csv': {'frames'},
    'list-columns.csv': {'unit', 'empty'},
    'two.csv': {'quantity', 'time_p99_1_ns', 'time_p99_2_ns', 'error_mean_1', 'error_mean_2',
                'error_max_1', 'error_max_2'},
}
kinds = {'truth.csv': 'truth', 'as-csv.csv': 'compare.csv'}

def listed(name, column):
    kind = kinds.get(name.split('/')[-1], name.split('/')[-1])
    if name.startswith(('run/pair/', 'contact/pair/')):
        kind = 'SCENARIO/VARIANT.csv'
    if '/trajectories/' in name:
        kind = 'trajectories/SCENARIO.csv'
    return columns[(columns.file == kind) & (columns.column == column)]

checked = 0
for name in sorted(glob.glob('run/**/*.csv', recursive=True) +
                   glob.glob('contact/**/*.csv', recursive=True)):
    # Read without options, and with each field as text.
    try:
        table = pandas.read_csv(name)
        raw = pandas.read_csv(name, dtype=str, keep_default_na=False)
    except Exception as error:
        print(name, error)
        continue
    checked += 1
    for column in table.columns:
        if (table[column].isna() != (raw[column] == '')).any():
            lost = sorted(set(raw[column][table[column].isna() & (raw[column] != '')]))
            print(name, column, 'is taken for missing:', lost)
        entry = listed(name, column)
        if len(entry) == 0:
            short = name.split('/')[-1]
            if short in may_be_empty and column not in may_be_empty[short] and \
                    (raw[column] == '').any():
                print(name, column, 'is empty')
            continue
        entry = entry.iloc[0]
        if pandas.isna(entry['empty']) and (raw[column] == '').any():
            print(name, column, 'is empty, against the reference')
        numeric = pandas.api.types.is_numeric_dtype(table[column])
        if entry['kind'] in ('number', 'count', 'flag') and len(table) > 0 and not numeric:
            print(name, column, 'is no column of numbers:', table[column].dtype)
print('read' if checked > 25 else 'only ' + str(checked) + ' files')
cells = pandas.read_csv('run/cells.csv')
print(sorted(cells[cells.variant == 'floor'].contract))
END
"$python" read.py
echo '# a variant named like a missing value is detected'
sed -i 's/,floor,/,null,/' run/passes.csv
"$python" read.py | sed -n 1p
