"""Tests the page of `proxbench record` in headless Chromium.

recorder_browser.py PROXBENCH [FOLDER]: prints what it has found, line by line; suite/tests/cli/record-browser.sh
compares it. With FOLDER, writes screenshots there.
"""
import os
import signal
import subprocess
import sys

from recorder import Session
from webdriver import Browser

SHIFT, RIGHT, UP = '\ue008', '\ue014', '\ue013'
folder = sys.argv[2] if len(sys.argv) > 2 else None

# Pixels from the centre of the view to the centre of B.
PLACE = '''const c = centreOfB().sub(vector(pair.a.origin)); moveCamera(); c.project(camera);
return [Math.round(c.x * by('view').clientWidth / 2), Math.round(-c.y * by('view').clientHeight / 2)];'''
SENT = 'samples.length === 0 && !sending && state.pose.every((x, i) => x === [...pose.p.toArray(), ...pose.q.toArray()][i])'


def shot(b, name):
    if folder:
        b.screenshot(os.path.join(folder, name + '.png'))


def pose(b):
    return b.run('return [...pose.p.toArray(), ...pose.q.toArray()]')


def centre(b):
    return b.run('return centreOfB().toArray()')


def near(a, b, most=1e-9):
    return max(abs(x - y) for x, y in zip(a, b)) < most


def drag(b, dx, dy, **how):
    """Drags B. Returns its poses before and after."""
    x, y = b.run(PLACE)
    before = pose(b)
    b.drag('#view', x, y, dx, dy, **how)
    b.wait(SENT)
    return before, pose(b)


def look(b, s):
    b.visit(s.url)
    b.wait("by('contact').textContent === 'Apart'")
    print('opened:', b.run('return document.title'))
    first = b.picture('#view')
    b.drag('#view', -200, 200, 100, 40)
    b.wait('drawn')
    print('the view turns:', b.picture('#view') != first, b.run("return epoch === state.epoch"))
    b.click('#camera')
    b.wait('drawn')
    shot(b, 'light')


def move(b):
    before, after = drag(b, 40, 0)
    print('a drag moves:', after[:3] != before[:3], after[3:] == before[3:])
    before, after = drag(b, -40, 0, kind='touch')
    print('a finger moves:', after[:3] != before[:3], after[3:] == before[3:])
    middle = centre(b)
    before, after = drag(b, 30, 20, button=2)
    print('the right button turns:', after[3:] != before[3:], near(centre(b), middle))
    b.click('#turn')
    before, after = drag(b, 30, -20)
    print('the mode turns:', after[3:] != before[3:], near(centre(b), middle))
    b.click('#move')
    b.run("by('view').focus()")
    before = pose(b)
    b.keys(RIGHT)
    b.wait(SENT)
    after = pose(b)
    print('a key moves:', after[:3] != before[:3], after[3:] == before[3:])
    middle = centre(b)
    b.keys(SHIFT, UP)
    b.wait(SENT)
    print('with Shift it turns:', pose(b)[3:] != after[3:], near(centre(b), middle))
    b.click('#beside')
    b.wait(SENT)
    print('beside A:', [round(x, 6) for x in pose(b)])


def record(b):
    b.run("by('view').focus()")
    b.keys('r', hold=50)
    b.wait('state.recording')
    across = b.run('''const c = vector(pair.a.origin).sub(vector(pair.a.origin)).project(camera);
        const v = by('view'), at = centreOfB().sub(vector(pair.a.origin)).project(camera);
        return [(c.x - at.x) * v.clientWidth / 2, -(c.y - at.y) * v.clientHeight / 2]''')
    drag(b, round(0.6 * across[0]), round(0.6 * across[1]), steps=30)
    b.wait("by('contact').textContent === 'Contact'")
    print('contact has a colour:', b.run("return bodyB.material.color.equals(colour('touching'))"),
          b.run("return by('contact').className"))
    b.keys('r', hold=50)
    b.wait("!state.recording && !by('trim').hidden")
    shot(b, 'contact')
    take = b.run('return state.takes[0]')
    print('recorded:', take['poses'] >= 10, take['seconds'] > 0.2, take['pushed'])
    b.run("by('time').value = state.takes[0].seconds / 2; by('time').dispatchEvent(new Event('input'))")
    b.wait('recorded && drawn')
    print('the take is shown:', b.run("return bodyB.material.color.equals(colour('unknown'))"))
    b.click('#set-from')
    b.click('#write')
    b.wait("by('take-status').textContent.startsWith('Written to ')")
    print(b.run("return by('take-status').textContent"))
    b.click('#live')
    b.wait('!recorded')
    run = subprocess.run([sys.argv[1], 'run', '--a', 'a.off', '--b', 'b.off', '--trajectory', 't.csv', '--quantity',
                          'distance', '--algorithm', 'brute,exact-distance', '--mode', 'smoke', '--no-cache', '--quiet',
                          '--out', 'run'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    frames = open('run/pair/brute.csv').read().splitlines()
    half = take['seconds'] - take['seconds'] / 2
    print('run: %d, all frames: %s' % (run.returncode, abs(len(frames) - 2 - 1000 * half) <= 2))


def ask(b):
    b.type('#variant', 'exact-volume')
    b.type('#quantity', 'volume,force')
    b.click('#ask button')
    b.wait("state.question.variant === 'exact-volume' && state.question.status === 'ok' && state.answer")
    print(b.run("return [...by('fields').rows].slice(0, 3).map((row) => row.cells[0].textContent)"))
    b.wait('arrow.visible && drawn')


def hand(b):
    b.click('#hand')
    b.wait("state.hand.status === 'on' && epoch === state.epoch")
    b.wait('state.pose[0] > 1.0 && state.pose[0] < 1.5')  # it is pushed out of A
    b.wait('ghost.visible && drawn')
    shot(b, 'hand')
    b.click('#hand')
    b.wait("state.hand.status === 'off' && epoch === state.epoch && !ghost.visible")
    print('the hand has pushed B out:', near(pose(b), b.run('return state.pose')))


def sizes(b):
    for name, scheme, width, height in [('dark', 'dark', 1000, 700), ('phone', 'light', 390, 844),
                                        ('phone-dark', 'dark', 390, 844)]:
        b.command('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
        b.command('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        b.wait("innerWidth === %d && by('view').width >= 300 && drawn" % width)
        print(name + ':', b.run("return document.documentElement.scrollWidth <= innerWidth"),
              b.run("return getComputedStyle(document.body).backgroundColor"))
        shot(b, name)
    b.command('Emulation.clearDeviceMetricsOverride')


def main():
    s = Session('--algorithm', 'exact-distance')
    b = Browser('--window-size=800,643')
    try:
        b.errors(), b.requests()
        look(b, s)
        move(b)
        record(b)
        ask(b)
        hand(b)
        sizes(b)
        print('errors:', b.errors())
        print('requests elsewhere:', [url for url in b.requests()
                                      if not url.startswith((s.url, 'chrome:', 'data:'))])
        b.type('#variant', '<img src=x>')
        b.click('#ask button')
        b.wait("by('status').classList.contains('bad')")
        print(b.run("return by('status').textContent"), b.run('return document.images.length'))
        print(s.end(signal.SIGINT)[0])
        b.wait("by('banner').textContent.startsWith('The connection is lost.')")
        print(b.run("return by('banner').textContent"))
    finally:
        b.close()
    print('# without WebGL')
    s = Session('--algorithm', 'exact-distance', out='none.csv')
    b = Browser('--disable-3d-apis')
    try:
        b.visit(s.url)
        b.wait("by('contact').textContent === 'Apart'")
        print(b.run("return by('banner').textContent").split(':')[0])
        b.click('#finish')
        b.wait("by('banner').textContent.startsWith('The session has ended.')")
        print(s.process.wait(60))
    finally:
        b.close()


main()
