"""Tests the web server of `proxbench record` over HTTP, with the standard library alone.

recorder.py PROXBENCH: prints what it has found, line by line; suite/tests/cli/record.sh compares it.
"""
import atexit
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time

program = sys.argv[1]


class Session:
    """A session that serves the bodies a.off and b.off."""

    def __init__(self, *arguments, out='t.csv'):
        self.log = open('log', 'w+')
        self.process = subprocess.Popen(
            [program, 'record', '--a', 'a.off', '--b', 'b.off', '--out', out, '--no-cache', *arguments],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        atexit.register(self.process.kill)  # a failed test leaves no session
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.split(':')[2].split('/')[0])
        self.host = '127.0.0.1:%d' % self.port
        self.token = '/' + self.url.split('/')[3] + '/'
        self.connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=120)

    def ask(self, method, path, body=None, headers=(), host=None, origin='own'):
        """Returns the status and the body of a reply. origin: None for no header."""
        c = self.connection
        c.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for value in [self.host] if host is None else host:
            c.putheader('Host', value)
        if origin:
            c.putheader('Origin', 'http://' + self.host if origin == 'own' else origin)
        for name, value in headers:
            c.putheader(name, value)
        c.putheader('Content-Length', str(len(body or '')))
        c.endheaders((body or '').encode())
        reply = c.getresponse()
        text = reply.read()
        if reply.headers.get('Connection') == 'close' or reply.status == 403:
            c.close()
        return reply.status, text

    def post(self, name, body=''):
        status, text = self.ask('POST', self.token + name, body)
        return json.loads(text) if status == 200 else '%d %s' % (status, text.decode().strip())

    def state(self):
        return self.post('move', '0')

    def wait(self, good):
        """Waits for a state. The limit only ends a test that hangs."""
        for _ in range(6000):
            state = self.state()
            if good(state):
                return state
            time.sleep(0.01)
        raise RuntimeError('never true: %s' % state)

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        status = self.process.wait(120)
        self.connection.close()
        self.log.seek(0)
        return status, self.log.read()


def pose(t, x):
    return '%.17g %.17g 0 0 0 0 0 1' % (t, x)


def refusals(s):
    print('# refused: status 403, and nothing else')
    page = s.token
    other = '/' + '0' * 32 + '/'
    cases = [
        ('no Host', 'GET', page, {'host': []}),
        ('another Host', 'GET', page, {'host': ['example.com']}),
        ('another port', 'GET', page, {'host': ['127.0.0.1:1']}),
        ('two Hosts', 'GET', page, {'host': [s.host, 'example.com']}),
        ('two Hosts, reversed', 'GET', page, {'host': ['example.com', s.host]}),
        ('the same Host twice', 'GET', page, {'host': [s.host, s.host]}),
        ('another Origin', 'GET', page, {'origin': 'http://example.com'}),
        ('Origin null', 'POST', page + 'grab', {'origin': 'null'}),
        ('Origin of the other name', 'POST', page + 'grab', {'origin': 'http://localhost:%d' % s.port}),
        ('two Origins', 'POST', page + 'grab', {'headers': [('Origin', 'http://' + s.host)]}),
        ('POST without Origin', 'POST', page + 'grab', {'origin': None}),
        ('another token', 'GET', other, {}),
        ('a shorter token', 'GET', page[:-2] + '/', {}),
        ('a longer token', 'GET', page[:-1] + '0/', {}),
        ('no token', 'GET', '/', {}),
        ('the icon', 'GET', '/favicon.ico', {}),
        ('a path above', 'GET', '/../' + page, {}),
        ('POST to another token', 'POST', other + 'finish', {}),
    ]
    for name, method, path, options in cases:
        print('%s: %d %s' % (name, *[x if isinstance(x, int) else x.decode().strip()
                                     for x in s.ask(method, path, **options)]))
    print('# served')
    local = {'host': ['localhost:%d' % s.port], 'origin': 'http://localhost:%d' % s.port}
    for name, method, path, options in [
            ('the page', 'GET', page, {'origin': None}),
            ('its script', 'GET', page + 'record.js', {'origin': None}),
            ('its style', 'GET', page + 'record.css', {'origin': None}),
            ('three.js', 'GET', page + 'three.min.js', {'origin': None}),
            ('its notice', 'GET', page + 'copyright', {'origin': None}),
            ('the pair', 'GET', page + 'pair.json', {'origin': None}),
            ('by the other name', 'POST', page + 'grab', local),
            ('an unknown file', 'GET', page + 'record.c', {}),
            ('a file above', 'GET', page + '../../etc/passwd', {}),
            ('an unknown request', 'POST', page + 'page', {}),
            ('an unknown take', 'GET', page + 'take/0', {}),
            ('a take that is no number', 'GET', page + 'take/x', {}),
            ('another method', 'DELETE', page, {})]:
        print('%s: %d' % (name, s.ask(method, path, **options)[0]))
    pair = json.loads(s.ask('GET', page + 'pair.json')[1])
    mesh = s.ask('GET', page + 'b.mesh')[1]
    print('mesh: %d vertices, %d faces, %d bytes' %
          (pair['b']['vertices'], pair['b']['faces'], len(mesh)))


def bad_requests(s):
    print('# bad requests: status 400, and the session goes on')
    for name, body in [
            ('move', ''), ('move', 'x'), ('move', '-1'), ('move', '0\n1 2 3'),
            ('move', '0\n0 0 0 0 0 0 0 2'), ('move', '0\n0 0 0 nan 0 0 0 1'),
            ('move', '0\n0 1e999 0 0 0 0 0 1'), ('record', 'yes'), ('hand', ''),
            ('ask', 'no-such'), ('ask', 'exact-distance\nforce'), ('write', '0 0 1'), ('write', 'a b c'),
            ('write', '-1 0 1')]:
        print('%s: %s' % (name, s.post(name, body)))
    print('too large: %s' % s.post('move', '0\n' + 'x' * (1 << 21)))
    s.connection.close()
    print(s.wait(lambda state: state['question']['status'] == 'ok')['question']['variant'])


def dropped(s):
    print('# 200 connections opened and dropped')
    for i in range(200):
        c = socket.create_connection(('127.0.0.1', s.port))
        if i % 4 == 1:
            c.sendall(b'GET ' + s.token.encode())
        elif i % 4 == 2:
            c.sendall(b'POST %smove HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nContent-Length: 1000\r\n\r\n0' %
                      (s.token.encode(), s.host.encode(), s.host.encode()))
        elif i % 4 == 3:
            c.sendall(b'GET %sevents HTTP/1.1\r\nHost: %s\r\n\r\n' % (s.token.encode(), s.host.encode()))
        c.close()
    folder = '/proc/%d/fd' % s.process.pid
    before = len(os.listdir(folder))
    for i in range(3):
        print(s.state()['question']['status'])
    for _ in range(3000): # descriptors come back after the next event
        if len(os.listdir(folder)) <= 30:
            break
        time.sleep(0.01)
    print('descriptors are back' if len(os.listdir(folder)) <= 30 else 'descriptors: %d' % before)


class Events:
    """The stream of states."""

    def __init__(self, s):
        self.socket = socket.create_connection(('127.0.0.1', s.port), timeout=120)
        self.socket.sendall(b'GET %sevents HTTP/1.1\r\nHost: %s\r\n\r\n' % (s.token.encode(), s.host.encode()))
        self.file = self.socket.makefile('rb')

    def __iter__(self):
        for line in self.file:
            if line.startswith(b'data: '):
                yield json.loads(line[6:])


def round_trips(s, count):
    """Sends poses one by one. Waits for the answer of each on the stream. Returns the number per second."""
    events = iter(Events(s))
    epoch = s.post('grab')['epoch']
    begin = time.perf_counter()
    for i in range(count):
        x = 3 + i / 1024
        s.post('move', '%d\n%s' % (epoch, pose(i, x)))
        for state in events:
            if state.get('answer', {}).get('at', [0])[0] == x:
                break
    return count / (time.perf_counter() - begin)


def recording():
    print('# a motion, SIGINT, and a run of the file')
    s = Session()
    epoch = s.post('grab')['epoch']
    s.post('record', 'on')
    s.post('move', '%d\n%s\n%s' % (epoch, pose(10, 1.5), pose(10.05, 1.25)))
    s.post('move', '%d\n%s' % (epoch, pose(10.1, 0.75)))
    s.wait(lambda state: state.get('answer', {}).get('at', [0])[0] == 0.75)
    print(open('t.csv.journal').read().count('\nP '), 'poses in the journal')
    status, log = s.end()
    print(status, log.strip().splitlines()[-1])
    print(os.path.exists('t.csv.journal'))
    table = subprocess.run([program, 'run', '--a', 'a.off', '--b', 'b.off', '--trajectory', 't.csv', '--quantity',
                            'distance', '--algorithm', 'brute,exact-distance', '--mode', 'smoke', '--no-cache',
                            '--quiet', '--out', 'run'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    frames = open('run/pair/brute.csv').read().splitlines()
    print('run: %d, %d frames' % (table.returncode, len(frames) - 1))
    print('# SIGTERM loses nothing either, and SIGKILL leaves the journal')
    s = Session(out='term.csv')
    epoch = s.post('grab')['epoch']
    s.post('record', 'on')
    s.post('move', '%d\n%s' % (epoch, pose(0, 2)))
    print(s.end(signal.SIGTERM)[0], os.path.exists('term.csv'))
    s = Session(out='kill.csv')
    epoch = s.post('grab')['epoch']
    s.post('record', 'on')
    s.post('move', '%d\n%s\n%s' % (epoch, pose(0, 2), pose(1, 3)))
    print(s.end(signal.SIGKILL)[0], os.path.exists('kill.csv'))
    s = Session(out='kill.csv')
    print(s.state()['takes'])
    print(json.loads(s.ask('GET', s.token + 'take/0')[1]))
    print(s.post('write', '0 0.25 0.5')['takes'][0]['file'])
    s.post('finish')
    print(s.process.wait(120), len(open('kill.csv').read().splitlines()))


def faulty():
    print('# a variant that crashes, and one that hangs')
    s = Session('--algorithm', 'faulty:fault=crashing,frame=1', '--timeout', '1', out='f.csv')
    epoch = s.post('grab')['epoch']
    s.post('record', 'on')
    s.wait(lambda state: state['question']['answers'] == 1)
    for fault, status in [('', 'crash'), ('aborting', 'crash'), ('hanging', 'timeout'), ('exiting', 'crash'),
                          ('crashes-in-prepare', 'crash'), ('fails-in-prepare', 'failed')]:
        if fault:
            s.post('ask', 'faulty:fault=%s,frame=0' % fault)
        s.post('move', '%d\n%s' % (epoch, pose(time.monotonic(), 2)))
        question = s.wait(lambda state: state['question']['status'] == status)['question']
        print('%s: %s' % (question['status'], question['detail']))
    s.post('ask', 'brute')
    s.post('move', '%d\n%s' % (epoch, pose(time.monotonic(), 2.5)))
    state = s.wait(lambda state: state.get('answer', {}).get('at', [0])[0] == 2.5)
    print(state['answer']['fields'][1], state['takes'][0]['poses'], 'poses')
    print(s.end()[0])


def main():
    s = Session()
    refusals(s)
    bad_requests(s)
    dropped(s)
    print('# in use')
    second = subprocess.run([program, 'record', '--a', 'a.off', '--b', 'b.off', '--port', str(s.port), '--out',
                             'other.csv'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(second.returncode, second.stdout.replace(str(s.port), 'PORT').strip(), os.path.exists('other.csv.journal'))
    second = subprocess.run([program, 'record', '--a', 'a.off', '--b', 'b.off', '--out', 't.csv'],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(second.returncode, second.stdout.strip())
    events = iter(Events(s))
    print('stream: %s' % next(events)['question']['variant'])
    print('round trips: %s' % (round_trips(s, 100) > 0))
    print(s.end()[0], os.path.exists('t.csv'), os.path.exists('t.csv.journal'))
    recording()
    faulty()


if __name__ == '__main__':
    main()
