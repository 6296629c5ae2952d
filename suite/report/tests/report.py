"""Opens a page of `proxbench report` in a browser and uses it as a reader does.

usage: report.py PAGE RUN PAGE-OF-TWO-RUNS PAGE-WITHOUT-3D

PAGE is of RUN. Prints a line for each check, and ends with status 1 if one fails.
"""
import csv
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..', 'tests'))
from webdriver import Browser  # noqa: E402

# Helpers inside of the page.
CHOOSE = '''const s = document.getElementById(arguments[0]); s.value = arguments[1];
  s.dispatchEvent(new Event(s.tagName === 'SELECT' ? 'change' : 'input'));
  s.dispatchEvent(new Event('input'));'''
COLUMN = '''return [...document.querySelectorAll(`#${arguments[0]} tbody tr`)]
  .map(r => r.children[arguments[1]].textContent);'''
STRIP = '''const strip = [...document.querySelectorAll('.strip')]
  .find(s => s.getAttribute('aria-label') === `Frames of ${arguments[0]}`);
  strip.scrollIntoView({block: 'center'}); strip.focus();
  strip.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[1], bubbles: true}));'''

failed = []


def check(what, good, *seen):
    print(('ok   ' if good else 'FAIL ') + what, *([] if good else seen))
    if not good:
        failed.append(what)


def is_own(address):
    """True for what a page contains itself, and for the pages of an empty browser."""
    return address.startswith(('blob:', 'data:', 'chrome://'))


def check_opens(browser, page, name):
    browser.visit('file://' + page)
    check(f'{name} is ready', browser.run('return document.body.dataset.ready') == 'true')
    time.sleep(0.5)
    errors, others = browser.errors(), [r for r in browser.requests() if not is_own(r)]
    check(f'{name} has no error', errors == [], errors)
    check(f'{name} requests nothing but itself', others == [f'file://{page}'], others)


def check_tables(browser):
    rows = browser.run(COLUMN, 'variants', 0)
    check('variants are listed', len(rows) >= 4, rows)
    head = '#variants thead th:nth-child(7) button'  # p99
    name = browser.run('return document.querySelector(arguments[0]).textContent', head)
    check('the column of p99 is found', name == 'p99', name)
    unsorted = browser.run(COLUMN, 'variants', 6)
    browser.click(head)
    first = browser.run(COLUMN, 'variants', 6)
    browser.click(head)
    second = browser.run(COLUMN, 'variants', 6)

    def seconds(text):
        number, unit = text.split()
        return float(number) * {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1}[unit]

    times = [seconds(t) for t in first]
    check('a click sorts by the value, not by the text', times == sorted(times) and
          sorted(first) == sorted(unsorted), first)
    check('a second click sorts backwards', second == first[::-1] or
          [seconds(t) for t in second] == times[::-1], second)
    order = browser.run("return document.querySelector('#variants th[aria-sort=descending]')"
                        '.textContent')
    check('the order is said to screen readers', order == 'p99', order)
    browser.send('#variants input[type=search]', 'distance voxels')
    left = browser.run(COLUMN, 'variants', 2)
    check('words filter rows', 0 < len(left) < len(rows) and all('voxels' in v for v in left), left)


def deadlines(run):
    """Returns {(scenario, quantity, variant): [(time, any, 1 %, 0.1 %, tolerance), ...]}."""
    found = {}
    with open(os.path.join(run, 'deadline.csv'), newline='') as file:
        for row in csv.DictReader(file):
            key = row['scenario'], row['quantity'], row['variant']
            shares = [float(row[name] or 'nan') for name in
                      ['fraction_any_error', 'fraction_within_tolerance']]
            found.setdefault(key, []).append((int(row['time_ns']), *shares))
    return found


def check_shares(browser, run):
    wrong, compared = [], 0
    profiles = deadlines(run)
    scenarios = browser.run("return [...document.getElementById('scenario').options]"
                            '.map(o => o.value)')
    for scenario in scenarios:
        browser.run(CHOOSE, 'scenario', scenario)
        for quantity in browser.run("return [...document.getElementById('quantity').options]"
                                    '.map(o => o.value)'):
            browser.run(CHOOSE, 'quantity', quantity)
            for column, limit in [(1, 'any'), (2, 'tolerance')]:
                browser.run(CHOOSE, 'limit', limit)
                for part in [0, 137, 400, 500, 613, 800, 1000]:
                    browser.run(CHOOSE, 'deadline', part)
                    deadline, rows = browser.run('''return [
                      Number(document.getElementById('deadline-text').dataset.ns),
                      [...document.querySelectorAll('.row')].map(r => [r.cell.raw.variant,
                        Number(r.querySelector('.share').dataset.share)])];''')
                    for variant, share in rows:
                        steps = profiles.get((scenario, quantity, variant), [])
                        within = [s[column] for s in steps if s[0] <= deadline]
                        expected = within[-1] if within else 0.0
                        if steps and expected == expected:
                            compared += 1
                            if share != expected:
                                wrong.append((scenario, variant, limit, deadline, share, expected))
    check('the shares of the slider are those of deadline.csv', not wrong and compared > 100,
          compared, wrong[:3])


def colours(browser):
    """Returns the number of colours of the 3D picture, and a digest of its pixels."""
    return browser.finish('''const [png, done] = arguments, image = new Image();
      image.onload = () => {
        const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
        canvas.width = image.width; canvas.height = image.height;
        pen.drawImage(image, 0, 0);
        const words = new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
        let digest = 0;
        words.forEach(w => { digest = (31 * digest + w) >>> 0; });
        done([new Set(words).size, digest]);
      };
      image.src = 'data:image/png;base64,' + png;''', picture_text(browser))


def picture_text(browser):
    # The same place on the screen gives the same pixels; a mark of the focus would be part of them.
    browser.run("document.activeElement.blur(); window.scrollTo(0, 0);"
                "document.getElementById('frame').scrollIntoView()")
    return browser.picture('#canvas')


def check_frames(browser):
    browser.run(CHOOSE, 'scenario', 'near')
    browser.run(STRIP, 'ist:voxels=16', 'End')
    time.sleep(1)
    first = browser.run('return document.body.dataset.firstFrameMs')
    check('a frame is shown in 3D', first is not None, first)
    print(f'first frame: {first} ms', file=sys.stderr)
    count, before = colours(browser)
    check('the picture has many colours', count > 100, count)
    check('the picture stays if nothing moves', colours(browser)[1] == before)
    browser.drag('#canvas', 0, 0, 80, 30)
    turned = colours(browser)[1]
    check('pixels change when it is turned by the mouse', turned != before)
    browser.send('#canvas', '\ue012')  # the left arrow
    check('pixels change when it is turned by keys', colours(browser)[1] != turned)
    still = colours(browser)[1]
    browser.click('#layer-partsA')
    check('without the spheres of A the picture is another one', colours(browser)[1] != still)
    browser.click('#layer-partsA')
    check('with them it is the same again', colours(browser)[1] == still)
    browser.run(CHOOSE, 'number', 0)
    text = browser.run("return document.querySelector('#numbers caption').textContent")
    check('the numbers are of the chosen frame', text.endswith('voxels=16, frame 0'), text)
    check('another frame is another picture', colours(browser)[1] != still)
    rows = browser.run("return [...document.querySelectorAll('#numbers tbody th')]"
                       '.map(t => t.textContent)')
    check('answer and truth have a distance and nearest points',
          'distance' in rows and 'nearest point of B' in rows, rows)
    browser.run(STRIP, 'ist:voxels=16', 'ArrowRight')
    value = browser.run("return document.getElementById('number').value")
    check('the right arrow goes to the next frame', value == '1', value)
    browser.click('#play')
    for _ in range(600):  # until it has moved, or for a minute
        value = browser.run("return Number(document.getElementById('number').value)")
        if value > 1:
            break
        time.sleep(0.1)
    browser.click('#play')
    check('playing goes on', value > 1, value)


def check_screens(browser):
    backs = []
    for dark in [False, True]:
        for width, phone in [(1200, False), (390, True)]:
            browser.screen(width, 844, phone, dark)
            time.sleep(0.3)
            wide = browser.run('return document.documentElement.scrollWidth - innerWidth')
            check(f'{width} pixels, {"dark" if dark else "light"}: no scrolling sideways', wide <= 0,
                  wide)
            backs.append(browser.run('return getComputedStyle(document.body).backgroundColor'))
    check('dark is another background', backs[0] != backs[2], backs)
    browser.screen(1200, 1000)


def check_names(browser):
    names = browser.run('''return [...document.querySelectorAll(
      'button, input, select, canvas, img')].filter(e => !(e.textContent.trim() || e.alt ||
      e.getAttribute('aria-label') || (e.labels && e.labels.length))).map(e => e.outerHTML)''')
    check('each control and picture has a name', names == [], names[:3])
    title = browser.run("return document.getElementById('title').textContent")
    check('hostile texts are texts', '<img src=x onerror=hacked()>' in title and
          browser.run("return document.querySelectorAll('img[src=x]').length") == 0, title)


def main():
    page, run, two, plain = [os.path.abspath(a) for a in sys.argv[1:5]]
    with Browser() as browser:
        check_opens(browser, page, 'the page')
        check_names(browser)
        check_tables(browser)
        check_shares(browser, run)
        check_frames(browser)
        check_screens(browser)
        check('nothing has failed meanwhile', browser.errors() == [])
        check_opens(browser, two, 'the page of two runs')
        rows = browser.run(COLUMN, 'side', 0)
        check('both runs stand side by side', len(rows) >= 4, rows)
        check_opens(browser, plain, 'the page without three.js')
        browser.run(STRIP, 'ist:voxels=16', 'End')
        fault = browser.run("return document.getElementById('view-fault').textContent")
        check('it says that three.js is missing', 'libjs-three' in fault, fault)
    with Browser('--disable-3d-apis') as browser:
        browser.visit('file://' + page)
        browser.run(CHOOSE, 'scenario', 'near')
        browser.run(STRIP, 'ist:voxels=16', 'End')
        fault = browser.run("return document.getElementById('view-fault').textContent")
        check('a browser without WebGL says so', 'no WebGL' in fault, fault)
    return 1 if failed else 0


sys.exit(main())
