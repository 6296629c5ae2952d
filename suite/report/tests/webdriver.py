"""Drives Debian's chromium by WebDriver over HTTP; the standard library of Python alone.

usage: webdriver.py PAGE SCENARIO VARIANT FRAME FILE.png

As a program it writes a picture of a frame on a page of `proxbench report`.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ['--headless=new', '--no-sandbox', '--enable-unsafe-swiftshader', '--no-first-run',
         '--disable-background-networking', '--disable-component-update', '--no-proxy-server',
         '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--window-size=1200,1000']
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'


def missing():
    """Returns what is not installed, or None."""
    for program in ['chromium', 'chromedriver']:
        if not shutil.which(program):
            return program
    return None


class Browser:
    """A browser with one page. Use it in a `with` statement."""

    def __init__(self, *flags):
        self.folder = tempfile.mkdtemp(prefix='proxbench-browser-')
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = None
        while port is None:
            line = self.driver.stdout.readline()
            if not line:
                raise RuntimeError('chromedriver has ended')
            port = re.search(r'started successfully on port (\d+)', line)
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.base = f'http://127.0.0.1:{port.group(1)}/session'
        options = {'binary': shutil.which('chromium'),
                   'args': [*FLAGS, f'--user-data-dir={self.folder}', *flags]}
        wanted = {'browserName': 'chrome', 'goog:chromeOptions': options,
                  'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}
        try:
            made = self.call('', {'capabilities': {'alwaysMatch': wanted}})
            self.base += '/' + made['sessionId']
            self.logs('browser')
            self.logs('performance')
        except Exception:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.opener.open(urllib.request.Request(self.base, method='DELETE'), timeout=60)
        except OSError:
            pass
        self.close()

    def close(self):
        self.driver.terminate()
        self.driver.wait(60)
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, path, body=None):
        """POSTs a body, or GETs without one."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data)
        try:
            with self.opener.open(request, timeout=300) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)['value']['message']) from None

    def open(self, path):
        self.call('/url', {'url': f'file://{path}'})

    def run(self, script, *args):
        return self.call('/execute/sync', {'script': script, 'args': args})

    def wait(self, script, *args):
        """Runs a script that calls its last argument when it is done."""
        return self.call('/execute/async', {'script': script, 'args': args})

    def find(self, selector):
        found = self.call('/element', {'using': 'css selector', 'value': selector})
        return found[ELEMENT]

    def click(self, selector):
        self.call(f'/element/{self.find(selector)}/click', {})

    def keys(self, selector, text):
        self.call(f'/element/{self.find(selector)}/value', {'text': text})

    def drag(self, selector, x, y):
        """Presses in the middle of an element, moves by (x, y) pixels, and releases."""
        origin = {ELEMENT: self.find(selector)}
        steps = [{'type': 'pointerMove', 'origin': origin, 'x': 0, 'y': 0},
                 {'type': 'pointerDown', 'button': 0},
                 *[{'type': 'pointerMove', 'origin': origin, 'duration': 20, 'x': x * i // 5,
                    'y': y * i // 5} for i in range(1, 6)],
                 {'type': 'pointerUp', 'button': 0}]
        self.call('/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': steps,
                                            'parameters': {'pointerType': 'mouse'}}]})

    def picture(self, selector=None):
        """Returns a PNG of an element, or of the window."""
        path = f'/element/{self.find(selector)}/screenshot' if selector else '/screenshot'
        return base64.b64decode(self.call(path))

    def screen(self, width, height, phone=False, dark=False):
        scheme = [{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}]
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height,
                      deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.devtools('Emulation.setEmulatedMedia', features=scheme)

    def devtools(self, command, **params):
        return self.call('/goog/cdp/execute', {'cmd': command, 'params': params})

    def logs(self, kind):
        """Returns the messages since the last call: 'browser' or 'performance'."""
        return self.call('/se/log', {'type': kind})

    def errors(self):
        """Returns console errors, uncaught exceptions and refused loads since the last call."""
        return [m['message'] for m in self.logs('browser') if m['level'] == 'SEVERE']

    def requests(self):
        """Returns the addresses that the page has requested since the last call."""
        events = [json.loads(m['message'])['message'] for m in self.logs('performance')]
        return [e['params']['request']['url'] for e in events
                if e['method'] == 'Network.requestWillBeSent']


SHOW = '''const [scenario, variant, frame] = arguments;
  const set = (id, value) => {
    const control = document.getElementById(id);
    control.value = value;
    control.dispatchEvent(new Event(id === 'scenario' ? 'change' : 'input'));
  };
  set('scenario', scenario);
  const row = [...document.querySelectorAll('.row')].find(r => r.cell.raw.variant === variant);
  row.querySelector('.strip').dispatchEvent(new KeyboardEvent('keydown', {key: 'Home'}));
  set('number', frame);
  document.getElementById('reset').click();
  document.querySelector('#frames .controls').scrollIntoView();'''


def main():
    page, scenario, variant, frame, file = sys.argv[1:6]
    with Browser() as browser:
        browser.screen(1140, 760)
        browser.open(os.path.abspath(page))
        browser.run(SHOW, scenario, variant, frame)
        time.sleep(1)
        with open(file, 'wb') as out:
            out.write(browser.picture())


if __name__ == '__main__':
    main()
