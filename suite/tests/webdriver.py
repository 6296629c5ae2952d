"""A browser for tests: headless Chromium, driven by chromedriver with the standard library alone."""
import base64
import json
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
# The resolver rule stops the browser's own requests to other hosts.
FLAGS = ['--headless=new', '--no-sandbox', '--enable-unsafe-swiftshader', '--no-first-run',
         '--disable-background-networking', '--disable-component-update', '--no-proxy-server',
         '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--window-size=1200,943']


class Browser:
    def __init__(self, *flags):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if 'started successfully on port' in line:
                self.base = 'http://127.0.0.1:' + line.split()[-1].rstrip('.')
                break
        self.open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
        options = {'binary': '/usr/bin/chromium',
                   'args': FLAGS + ['--user-data-dir=' + self.folder.name] + list(flags)}
        reply = self.call('POST', '/session', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome', 'goog:chromeOptions': options,
            'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}}})
        self.base += '/session/' + reply['sessionId']

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'},
                                         method=method)
        try:
            with self.open(request, timeout=900) as reply:
                return json.load(reply)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)['value']['message']) from None

    def visit(self, url):
        self.call('POST', '/url', {'url': url})

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def finish(self, script, *arguments):
        """Runs a script that calls its last argument when it is done."""
        return self.call('POST', '/execute/async', {'script': script, 'args': list(arguments)})

    def wait(self, script, seconds=600):
        """Waits until the expression is true. The limit only ends a test that hangs."""
        self.call('POST', '/timeouts', {'script': 1000 * seconds})
        done = self.call('POST', '/execute/async', {'args': [1000 * seconds], 'script': '''
            const done = arguments[1], end = performance.now() + arguments[0] - 500;
            const look = () => { let good = false; try { good = %s; } catch (error) {}
                good || performance.now() > end ? done(Boolean(good)) : setTimeout(look, 20); };
            look();''' % script})
        if not done:
            raise RuntimeError('never true: ' + script)

    def element(self, selector):
        return self.call('POST', '/element', {'using': 'css selector', 'value': selector})

    def click(self, selector):
        self.call('POST', '/element/%s/click' % self.element(selector)[ELEMENT], {})

    def type(self, selector, text):
        element = self.element(selector)[ELEMENT]
        self.call('POST', '/element/%s/clear' % element, {})
        self.send(selector, text)

    def send(self, selector, text):
        """Types into an element that need not be a field."""
        self.call('POST', '/element/%s/value' % self.element(selector)[ELEMENT], {'text': text})

    def drag(self, selector, x, y, dx, dy, kind='mouse', steps=10, button=0):
        """Drags from x, y, which are pixels from the element's centre."""
        element = self.element(selector)
        moves = [{'type': 'pointerMove', 'origin': element, 'duration': 0, 'x': x, 'y': y},
                 {'type': 'pointerDown', 'button': button}]
        moves += [{'type': 'pointerMove', 'origin': element, 'duration': 20,
                   'x': round(x + dx * i / steps), 'y': round(y + dy * i / steps)}
                  for i in range(1, steps + 1)]
        moves.append({'type': 'pointerUp', 'button': button})
        self.call('POST', '/actions', {'actions': [{'type': 'pointer', 'id': kind, 'actions': moves,
                                                    'parameters': {'pointerType': kind}}]})

    def keys(self, *keys, hold=200):
        """Presses the keys together for `hold` milliseconds."""
        actions = [{'type': 'keyDown', 'value': key} for key in keys]
        actions.append({'type': 'pause', 'duration': hold})
        actions += [{'type': 'keyUp', 'value': key} for key in reversed(keys)]
        self.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': actions}]})

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.call('POST', '/goog/cdp/execute', {'cmd': name, 'params': parameters})

    def screen(self, width, height, phone=False, dark=False):
        """Sets the size of the page, and its colour scheme."""
        self.command('Emulation.setDeviceMetricsOverride', width=width, height=height,
                     deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.command('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def picture(self, selector=None):
        """Returns a PNG of an element, or of the window, in base64."""
        path = '/element/%s' % self.element(selector)[ELEMENT] if selector else ''
        return self.call('GET', path + '/screenshot')

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.picture()))

    def errors(self):
        """Returns the errors of the console since the last call."""
        return [entry['message'] for entry in self.call('POST', '/se/log', {'type': 'browser'})
                if entry['level'] == 'SEVERE']

    def requests(self):
        """Returns the addresses of all requests of pages since the last call."""
        found = []
        for entry in self.call('POST', '/se/log', {'type': 'performance'}):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                found.append(message['params']['request']['url'])
        return found

    def close(self):
        try:
            self.call('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.folder.cleanup()
