# needs-command: python3
# JUnit XML is valid and Markdown is plain text, whatever the texts contain. Both name the cells
# that failed.
mkdir -p run/a
printf 'section,key,value\nrun,experiment,e\nrun,exit_status,0\n' >run/manifest.csv
cat >run/cells.csv <<'END'
answers_hash,time_p99_ns,time_intrinsic_max_ns,distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max,tp_count,tn_count,fp_count,fn_count,scenario,variant,quantity,status,frames_count,violations_count,detail,file
,,,,,,,0,0,0,0,a,floor,distance,ok,1,0,,floor
,,,,,,,0,0,0,0,a,other,distance,ok,1,0,,other
END
printf 'frame,distance_m,tests_count\n0,0.5,3\n' | tee run/a/floor.csv >run/a/other.csv
"$proxbench" check --bless run --baseline b.csv 2>/dev/null
printf ',,,,,,,0,0,0,0,a,dies,distance,crash,1,0,"<&>""'\''\tback\\slash \303\251 \377 \342\202",dies\n' >>run/cells.csv
printf 'frame,distance_m,tests_count\n0,"<nothing & ""all"">",3\n' >run/a/other.csv
run check run --baseline b.csv --junit j.xml | LC_ALL=C tr -d '\200-\377\t'
python3 - <<'END'
import xml.etree.ElementTree as tree
root = tree.parse('j.xml').getroot()
print(root.tag, root.attrib)
for suite in root:
    print(suite.tag, {k: v for k, v in suite.attrib.items() if k != 'time'})
    for case in suite:
        assert float(case.attrib['time']) >= 0
        for failure in case:
            print(case.attrib['name'], failure.tag, repr(failure.attrib['message']))
            assert failure.text.strip()
END
printf ',,,,,,,0,0,0,0,a,lures,distance,crash,1,0,"[x](http://y) `z` | <img src=""w"">",lures\n' >>run/cells.csv
"$proxbench" check run --baseline b.csv --markdown - 2>/dev/null | grep '^| ending | a | lures'
