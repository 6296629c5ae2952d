# needs-command: python3
# JUnit XML parses whatever the texts hold, and says where the failures are.
mkdir -p run/a
printf 'section,key,value\nrun,experiment,"a<b>&""c"""\nrun,exit_status,0\n' >run/manifest.csv
cat >run/cells.csv <<'END'
scenario,variant,quantity,status,frames_count,violations_count,detail,file
a,null,distance,ok,1,0,,null
a,other,distance,ok,1,0,,other
END
printf 'frame,distance_m,tests_count\n0,0.5,3\n' | tee run/a/null.csv >run/a/other.csv
"$proxbench" check --bless run --baseline b.csv 2>/dev/null
printf 'a,dies,distance,crash,1,0,"<&>""'\''\tback\\slash \303\251 \377 \342\202",dies\n' >>run/cells.csv
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
