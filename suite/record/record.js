'use strict';
/* The page of `proxbench record`. suite/record/server.h describes the requests, session.h the
 * session. Poses are those of B in A's frame; the scene's origin is the centre of A's box. */

const by = (id) => document.getElementById(id);
const size = { fov: 40, turn: 0.008, dragMoves: 0.25, keyTurn: 0.8 };
let pair, state;
let pose = null;            /* of B, or of the device if the hand moves B: {p: Vector3, q: Quaternion} */
let epoch = -1;             /* of the poses that this page sends */
let recorded = null;        /* the take that is looked at: rows [t, x, y, z, qx, qy, qz, qw] */
let mode = 'move';

/* --- Requests ---------------------------------------------------------------------------------- */

const banner = (text) => {
    by('banner').hidden = !text;
    by('banner').textContent = text;
};

/* Requests are sent one after the other, so that none overtakes the poses before it. */
let chain = Promise.resolve();
const post = (name, body) => {
    const sent = chain.then(async () => {
        const reply = await fetch(name, { method: 'POST', body });
        const text = await reply.text();
        return { ok: reply.ok, status: reply.status, text: text.trim() };
    });
    chain = sent.catch(() => {});
    return sent;
};

/* Sends a request of a button. Shows its error in `where`. Returns true if it was done. */
const request = async (name, body, where) => {
    try {
        const reply = await post(name, body);
        tell(where, reply.ok ? '' : reply.text, !reply.ok);
        if (reply.ok) {
            show(JSON.parse(reply.text));
        }
        return reply.ok;
    } catch (error) {
        tell(where, 'The server does not answer.', true);
        return false;
    }
};

const tell = (where, text, bad) => {
    const changed = where.textContent !== text;
    where.classList.toggle('bad', Boolean(bad && text));
    if (changed) {
        where.textContent = text;
    }
};

/* --- Scene ------------------------------------------------------------------------------------- */

let renderer, camera, scene, bodyA, bodyB, ghost, line, arrow;
const eye = { centre: null, distance: 1, across: 0.6, up: 0.5 };
let drawn = false;          /* the picture shows the present scene */

const colour = (name) => new THREE.Color(
    getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim());
const vector = (v) => new THREE.Vector3(v[0], v[1], v[2]);
const inScene = (v) => vector(v).sub(vector(pair.a.origin));

const loadMesh = async (name, body) => {
    const words = await (await fetch(name)).arrayBuffer();
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position',
        new THREE.BufferAttribute(new Float32Array(words, 0, 3 * body.vertices), 3));
    geometry.setIndex(
        new THREE.BufferAttribute(new Uint32Array(words, 12 * body.vertices, 3 * body.faces), 1));
    geometry.computeBoundingSphere();
    return geometry;
};

const makeScene = async () => {
    renderer = new THREE.WebGLRenderer({ canvas: by('view'), antialias: true, alpha: true });
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    scene = new THREE.Scene();
    camera = new THREE.PerspectiveCamera(size.fov, 1, 1, 2);
    scene.add(camera);
    scene.add(new THREE.AmbientLight(0xffffff, 0.45));
    const lamp = new THREE.DirectionalLight(0xffffff, 0.65);
    lamp.position.set(0.4, 0.6, 1);
    camera.add(lamp);
    const material = () => new THREE.MeshPhongMaterial({ flatShading: true, shininess: 10, side: THREE.DoubleSide });
    const [a, b] = await Promise.all([loadMesh('a.mesh', pair.a), loadMesh('b.mesh', pair.b)]);
    bodyA = new THREE.Mesh(a, material());
    bodyB = new THREE.Mesh(b, material());
    ghost = new THREE.Mesh(b, new THREE.MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.25 }));
    line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ depthTest: false }));
    line.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3));
    line.frustumCulled = false;
    arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1);
    arrow.line.material.depthTest = arrow.cone.material.depthTest = false;
    scene.add(bodyA, bodyB, ghost, line, arrow);
    size.b = b.boundingSphere.radius;
    paint();
    resize();
    lookAtAll();
};

const paint = () => {
    if (!bodyA) {
        return;
    }
    bodyA.material.color = colour('fixed');
    ghost.material.color = line.material.color = colour('ink');
    arrow.setColor(colour('ink'));
    paintB();
};
const paintB = () => {
    const a = state && state.answer;
    if (bodyB) {
        bodyB.material.color = colour(!a || recorded ? 'unknown' : a.colliding ? 'touching' : 'apart');
    }
    drawn = false;
};

/* Paints what a new state changes. A picture takes long without a GPU. */
let painted = '';
const repaint = () => {
    const { answer, hand } = state;
    const shown = JSON.stringify([epoch < 0 || hand.on ? state.pose : 0, hand.on, answer && [answer.colliding,
        answer.witness_a, answer.witness_b, answer.force, answer.direction]]);
    if (shown !== painted) {
        painted = shown;
        paintB();
    }
};

/* Sets the position of a mesh of B. */
const place = (mesh, p, q) => {
    mesh.quaternion.copy(q);
    mesh.position.copy(vector(pair.b.origin)).applyQuaternion(q).add(p).sub(vector(pair.a.origin));
};
const centreOfB = () => vector(pair.b.origin).applyQuaternion(pose.q).add(pose.p);

const lookAtAll = () => {
    const b = centreOfB().sub(vector(pair.a.origin));
    const reach = Math.max(size.a / 2, b.length() / 2 + size.b);
    eye.centre = b.multiplyScalar(0.5);
    eye.distance = 1.25 * reach / Math.sin(size.fov * Math.PI / 360) / Math.min(1, camera.aspect || 1);
    eye.across = 0.6;
    eye.up = 0.5;
    drawn = false;
};

const moveCamera = () => {
    const flat = Math.cos(eye.up) * eye.distance;
    camera.up.set(0, 0, 1);
    camera.position.set(flat * Math.sin(eye.across), -flat * Math.cos(eye.across),
        Math.sin(eye.up) * eye.distance).add(eye.centre);
    camera.near = eye.distance / 100;
    camera.far = eye.distance * 10 + size.a * 10;
    camera.lookAt(eye.centre);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
};

const resize = () => {
    const view = by('view').parentElement;
    if (renderer) {
        renderer.setSize(view.clientWidth, view.clientHeight, false);
        camera.aspect = view.clientWidth / view.clientHeight;
        drawn = false;
    }
};

const showAnswer = () => {
    const a = state.answer;
    const shown = a && !recorded;
    line.visible = Boolean(shown && a.witness_a && a.witness_b && !a.colliding);
    if (line.visible) {
        const ends = line.geometry.attributes.position;
        inScene(a.witness_a).toArray(ends.array, 0);
        inScene(a.witness_b).toArray(ends.array, 3);
        ends.needsUpdate = true;
    }
    const way = shown && (a.force || a.direction);
    arrow.visible = Boolean(way && Math.hypot(...way) > 0);
    if (arrow.visible) {
        arrow.position.copy(bodyB.position);
        arrow.setDirection(vector(way).normalize());
        arrow.setLength(size.a * 0.35, size.a * 0.07, size.a * 0.04);
    }
};

const draw = () => {
    if (!renderer || !pose || !state) {
        return;
    }
    const pushed = state.hand.on && !recorded;
    ghost.visible = pushed;
    if (recorded) {
        const row = rowAt(Number(by('time').value));
        place(bodyB, vector(row.slice(1, 4)), new THREE.Quaternion(...row.slice(4)));
    } else if (pushed) {
        place(bodyB, vector(state.pose), new THREE.Quaternion(...state.pose.slice(3)));
        place(ghost, pose.p, pose.q);
    } else {
        place(bodyB, pose.p, pose.q);
    }
    showAnswer();
    moveCamera();
    renderer.render(scene, camera);
    drawn = true;
};

/* --- Poses that are sent ------------------------------------------------------------------------ */

let samples = [], sending = false, lastSample = 0;
let moved = false;          /* since the last sample */

const sample = (ms) => {
    const { p, q } = pose, t = ms / 1000;
    if (t > lastSample && samples.length < 8000) {
        samples.push([t, p.x, p.y, p.z, q.x, q.y, q.z, q.w].join(' '));
        lastSample = t;
        moved = false;
    }
};

const send = async () => {
    if (sending || samples.length === 0 || epoch < 0) {
        return;
    }
    const batch = samples, sender = epoch;
    sending = true;
    samples = [];
    try {
        const reply = await post('move', sender + '\n' + batch.join('\n'));
        const s = reply.ok && JSON.parse(reply.text);
        if (!s) {
            banner(reply.text);
        } else if (s.epoch !== sender) { /* another page, or the hand, moves B now */
            samples = [];
            show(s);
        }
    } catch (error) {
        samples = batch.concat(samples); /* they are sent when the server answers again */
        await new Promise((done) => setTimeout(done, 300));
    }
    sending = false;
};

/* Takes the pose of the state: this page moves B from there on. */
const adopt = (s) => {
    pose = { p: vector(s.pose), q: new THREE.Quaternion(...s.pose.slice(3)) };
    epoch = s.epoch;
    drawn = false;
};
const grab = async () => {
    if (await request('grab', '', by('take-status'))) {
        adopt(state);
    }
};

/* --- Motions ------------------------------------------------------------------------------------ */

/* The axes of the view: right, up, towards the eye. */
const axes = () => [0, 1, 2].map((i) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, i));

const shift = (right, up, near) => {
    const [x, y, z] = axes();
    pose.p.addScaledVector(x, right).addScaledVector(y, up).addScaledVector(z, near);
    moved = true;
    drawn = false;
};

/* Turns B about its centre: angles about the axes of the view. */
const turn = (right, up, near) => {
    const centre = centreOfB(), angles = [right, up, near], all = axes();
    all.forEach((axis, i) => {
        pose.q.premultiply(new THREE.Quaternion().setFromAxisAngle(axis, angles[i]));
    });
    pose.q.normalize();
    pose.p.copy(centre).sub(vector(pair.b.origin).applyQuaternion(pose.q));
    moved = true;
    drawn = false;
};

/* Metres per pixel at the distance of B. */
const scale = () => {
    const away = camera.position.distanceTo(centreOfB().sub(vector(pair.a.origin)));
    return 2 * away * Math.tan(size.fov * Math.PI / 360) / by('view').clientHeight;
};

const besideA = () => {
    const a = pair.a.box, b = pair.b.box;
    const centre = vector([a[3] - b[0] + 0.1 * size.a, 0, 0]).add(vector(pair.a.origin));
    pose.q.set(0, 0, 0, 1);
    pose.p.copy(centre).sub(vector(pair.b.origin));
    moved = true;
    leaveTake();
};

/* --- Mouse and touch ---------------------------------------------------------------------------- */

const fingers = new Map();  /* of the pointers that are down */
let held = null;            /* what the first of them holds: 'b' or 'view' */

const isOnB = (event) => {
    const box = by('view').getBoundingClientRect();
    const at = new THREE.Vector2((event.clientX - box.left) / box.width * 2 - 1,
        1 - (event.clientY - box.top) / box.height * 2);
    const caster = new THREE.Raycaster();
    moveCamera();
    scene.updateMatrixWorld();
    caster.setFromCamera(at, camera);
    const hits = caster.intersectObjects(ghost.visible ? [bodyA, bodyB, ghost] : [bodyA, bodyB]);
    return hits.length > 0 && hits[0].object !== bodyA;
};

const pinch = () => {
    const [a, b] = [...fingers.values()];
    return { length: Math.hypot(b.x - a.x, b.y - a.y), angle: Math.atan2(b.y - a.y, b.x - a.x) };
};

const dragOne = (dx, dy, event) => {
    if (held === 'view') {
        eye.across -= dx * size.turn;
        eye.up = Math.min(1.55, Math.max(-1.55, eye.up + dy * size.turn));
        drawn = false;
    } else if ((mode === 'turn') !== (event.shiftKey || (event.buttons & 2) !== 0)) {
        turn(dy * size.turn, dx * size.turn, 0);
    } else {
        const m = scale();
        shift(dx * m, -dy * m, 0);
    }
};

const dragTwo = (before, after) => {
    if (held === 'view') {
        eye.distance *= before.length / Math.max(1, after.length);
    } else {
        shift(0, 0, Math.log(after.length / Math.max(1, before.length)) * size.a / 2);
        turn(0, 0, before.angle - after.angle);
    }
    drawn = false;
};

const pointerDown = (event) => {
    if (!renderer) {
        return;
    }
    event.preventDefault();
    by('view').focus();
    by('view').setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) {
        held = isOnB(event) ? 'b' : 'view';
        if (held === 'b') {
            leaveTake();
            if (epoch < 0) {
                grab();
            }
        }
    }
};

/* A mouse may report several positions between two pictures. Each becomes a pose. */
const pointerMove = (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) {
        return;
    }
    const all = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
    for (const at of all.length > 0 ? all : [event]) {
        const before = fingers.size === 2 ? pinch() : null;
        const dx = at.clientX - finger.x, dy = at.clientY - finger.y;
        finger.x = at.clientX;
        finger.y = at.clientY;
        if (before) {
            dragTwo(before, pinch());
        } else if (fingers.size === 1) {
            dragOne(dx, dy, event);
        }
        if (held === 'b' && epoch >= 0) {
            sample(at.timeStamp);
        }
    }
};

const pointerUp = (event) => {
    fingers.delete(event.pointerId);
    held = fingers.size > 0 ? held : null;
};

const wheel = (event) => {
    event.preventDefault();
    if (held === 'b') {
        shift(0, 0, -event.deltaY * scale() * size.dragMoves);
    } else {
        eye.distance *= Math.exp(event.deltaY * 0.001);
    }
    drawn = false;
};

/* --- Keys --------------------------------------------------------------------------------------- */

const keys = new Set();
const moves = {
    ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0],
    PageUp: [0, 0, -1], PageDown: [0, 0, 1],
};
const turns = {
    ArrowLeft: [0, -1, 0], ArrowRight: [0, 1, 0], ArrowUp: [-1, 0, 0], ArrowDown: [1, 0, 0],
    PageUp: [0, 0, 1], PageDown: [0, 0, -1],
};
let shifted = false;

const keyDown = (event) => {
    shifted = event.shiftKey;
    if (event.ctrlKey || event.altKey || event.metaKey || !renderer) {
        return;
    }
    if (moves[event.key]) {
        event.preventDefault();
        leaveTake();
        keys.add(event.key);
        if (epoch < 0) {
            grab();
        }
    } else if (!event.repeat && (event.key === 'r' || event.key === 'R')) {
        by('record').click();
    } else if (!event.repeat && (event.key === 'h' || event.key === 'H')) {
        by('hand').click();
    }
};

/* Moves B for the keys that are down: a quarter of A's diagonal or 46 degrees per second. */
const moveByKeys = (seconds) => {
    for (const key of keys) {
        const [x, y, z] = shifted ? turns[key] : moves[key];
        if (shifted) {
            const a = size.keyTurn * seconds;
            turn(x * a, y * a, z * a);
        } else {
            const m = size.a * 0.25 * seconds;
            shift(x * m, y * m, z * m);
        }
    }
};

/* --- Takes -------------------------------------------------------------------------------------- */

const rowAt = (t) => {
    let low = 0, high = recorded.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (recorded[middle][0] <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return recorded[low];
};

let playing = false;
const setPlaying = (on) => {
    playing = on;
    by('play').setAttribute('aria-pressed', String(on));
};
const leaveTake = () => {
    recorded = null;
    setPlaying(false);
    paintB();
};

const lookAtTake = async () => {
    try {
        recorded = await (await fetch('take/' + by('take').value)).json();
    } catch (error) {
        tell(by('take-status'), 'The take cannot be read: ' + error.message, true);
    }
    paintB();
    return recorded;
};

/* Rounds a time down, so that it stays in the take. */
const rounded = (seconds) => Math.floor(seconds * 1e4) / 1e4;

/* Shows the ends of the chosen take. */
const chooseTake = () => {
    const take = state.takes[by('take').value];
    leaveTake();
    by('time').max = take.seconds;
    by('time').value = by('from').value = 0;
    by('to').value = rounded(take.seconds);
    tell(by('take-status'), take.file ? 'Written to ' + take.file : 'Not yet written.', false);
};

const listTakes = () => {
    const list = by('take'), done = state.takes.length - (state.recording ? 1 : 0);
    by('trim').hidden = done === 0;
    if (list.length === done) {
        return;
    }
    list.replaceChildren(...state.takes.slice(0, done).map((take, i) => new Option(
        `${i + 1}: ${take.seconds.toFixed(2)} s, ${take.poses} poses${take.restored ? ', restored' : ''}`, i)));
    if (done > 0) {
        list.value = done - 1;
        chooseTake();
    }
};

const writeTake = async (event) => {
    event.preventDefault();
    const number = by('take').value;
    const body = [number, by('from').value || 'from', by('to').value || 'to'].join(' ');
    if (await request('write', body, by('take-status'))) {
        tell(by('take-status'), 'Written to ' + state.takes[number].file, false);
    }
};

/* --- State -------------------------------------------------------------------------------------- */

/* Six digits of a number; 0 for the -0 of a force. */
const shorten = (text) => {
    const number = Number(text);
    return text === '-0' ? '0' :
        text.length > 9 && Number.isFinite(number) ? String(Number(number.toPrecision(6))) : text;
};

const showFields = (fields) => {
    const table = by('fields');
    while (table.rows.length > fields.length) {
        table.deleteRow(-1);
    }
    fields.forEach(([name, text], i) => {
        let row = table.rows[i];
        if (!row) {
            row = table.insertRow();
            row.append(document.createElement('th'), document.createElement('td'));
            row.cells[0].scope = 'row';
        }
        row.cells[0].textContent = name;
        row.cells[1].textContent = shorten(text);
    });
};

const showQuestion = () => {
    const { question, answer } = state, badge = by('contact');
    badge.className = !answer ? '' : answer.colliding ? 'touching' : 'apart';
    tell(badge, !answer ? 'No answer' : answer.colliding ? 'Contact' : 'Apart', false);
    const time = question.query_ns === undefined ? '' :
        `, ${(question.query_ns / 1000).toPrecision(3)} \u00b5s`;
    const text = question.status === 'ok' ? `${question.variant}, ${question.quantity}: ` +
        `${question.per_s.toFixed(0)} answers per second${time}` :
        `${question.variant}: ${question.status}${question.detail ? ': ' + question.detail : ''}`;
    tell(by('status'), text, !['ok', 'preparing'].includes(question.status));
    showFields(answer ? answer.fields : []);
};

const showHand = () => {
    const { hand } = state;
    by('hand').setAttribute('aria-pressed', String(hand.on));
    const text = hand.status === 'on' ? `${hand.variant} pushes B: ${hand.per_s.toFixed(0)} steps per second` :
        hand.status === 'off' ? `Lets ${hand.variant} push B out of A.` :
        hand.variant + ': ' + hand.status + (hand.detail ? ': ' + hand.detail : '');
    tell(by('hand-status'), text, !['on', 'off', 'preparing'].includes(hand.status));
};

const showRecord = () => {
    const take = state.takes[state.takes.length - 1];
    by('record').setAttribute('aria-pressed', String(state.recording));
    by('record').textContent = state.recording ? 'Stop' : 'Record';
    const text = state.take_fault ? 'Stopped: ' + state.take_fault :
        !state.recording ? '' : take ? `${take.seconds.toFixed(1)} s, ${take.poses} poses` : 'Begins';
    tell(by('record-status'), text, state.take_fault);
};

const show = (s) => {
    if (s.epoch < epoch) { /* from before this page grabbed B */
        return;
    }
    state = s;
    epoch = s.epoch > epoch ? -1 : epoch;
    if (epoch < 0) {
        pose = { p: vector(s.pose), q: new THREE.Quaternion(...s.pose.slice(3)) };
    }
    showQuestion();
    showHand();
    showRecord();
    listTakes();
    repaint();
    if (s.finished) {
        events.close();
        banner('The session has ended. All takes are written.');
    }
};

let events, lost = false;
const listen = () => {
    events = new EventSource('events');
    events.onopen = () => {
        if (lost) {
            banner('');
        }
        lost = false;
        if (epoch < 0) {
            grab();
        }
    };
    events.onmessage = (event) => show(JSON.parse(event.data));
    events.onerror = () => {
        lost = true;
        banner('The connection is lost. This page tries again. All poses that the server has got are in its journal.');
    };
};

/* --- Pictures ----------------------------------------------------------------------------------- */

let last = 0;
const tick = (now) => {
    const seconds = Math.min(0.1, (now - last) / 1000);
    last = now;
    requestAnimationFrame(tick);
    if (!pose || !state) {
        return;
    }
    moveByKeys(seconds);
    if (playing) {
        const time = by('time');
        time.value = Number(time.value) + seconds;
        setPlaying(Number(time.value) < Number(by('to').value));
        drawn = false;
    }
    /* Without a motion, a pose per picture is recorded: B rests there. */
    if (epoch >= 0 && !recorded && (moved || state.recording)) {
        sample(performance.now());
    }
    send();
    if (!drawn) {
        draw();
    }
};

/* --- Start -------------------------------------------------------------------------------------- */

const choose = (next) => {
    mode = next;
    by('move').setAttribute('aria-pressed', String(mode === 'move'));
    by('turn').setAttribute('aria-pressed', String(mode === 'turn'));
};

const toggle = (id, where) => async () => {
    const on = by(id).getAttribute('aria-pressed') !== 'true';
    leaveTake();
    await request(id, on ? 'on' : 'off', where);
    if (id === 'hand' && state) {
        adopt(state);
    }
};

const connect = () => {
    const view = by('view');
    view.addEventListener('pointerdown', pointerDown);
    view.addEventListener('pointermove', pointerMove);
    view.addEventListener('pointerup', pointerUp);
    view.addEventListener('pointercancel', pointerUp);
    view.addEventListener('contextmenu', (event) => event.preventDefault());
    view.addEventListener('wheel', wheel, { passive: false });
    view.addEventListener('keydown', keyDown);
    view.addEventListener('keyup', (event) => { shifted = event.shiftKey; keys.delete(event.key); });
    view.addEventListener('blur', () => keys.clear());
    by('move').onclick = () => choose('move');
    by('turn').onclick = () => choose('turn');
    by('beside').onclick = besideA;
    by('camera').onclick = () => renderer && lookAtAll();
    by('hand').onclick = toggle('hand', by('hand-status'));
    by('record').onclick = toggle('record', by('record-status'));
    by('ask').onsubmit = (event) => {
        event.preventDefault();
        request('ask', by('variant').value.trim() + '\n' + by('quantity').value.trim(), by('status'));
    };
    by('trim').onsubmit = writeTake;
    by('take').onchange = chooseTake;
    by('time').oninput = async () => { recorded || await lookAtTake(); setPlaying(false); drawn = false; };
    by('play').onclick = async () => { recorded || await lookAtTake(); setPlaying(!playing); };
    by('live').onclick = leaveTake;
    by('set-from').onclick = () => { by('from').value = rounded(by('time').value); };
    by('set-to').onclick = () => { by('to').value = rounded(by('time').value); };
    by('finish').onclick = () => request('finish', '', by('take-status'));
    addEventListener('resize', resize);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
};

const begin = async () => {
    pair = await (await fetch('pair.json')).json();
    document.title = `${pair.b.name} in ${pair.a.name} - proxbench record`;
    by('algorithms').append(...pair.algorithms.map((name) => new Option(name, name)));
    by('quantities').append(...pair.quantities.map((name) => new Option(name, name)));
    const box = pair.a.box;
    size.a = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    const reply = await post('grab', '');
    const first = JSON.parse(reply.text);
    state = first;
    adopt(first);
    by('variant').value = first.question.variant;
    by('quantity').value = first.question.quantity;
    try {
        await makeScene();
    } catch (error) {
        renderer = null;
        banner('This page needs WebGL: ' + error.message);
    }
    connect();
    show(first);
    listen();
    requestAnimationFrame(tick);
};
begin().catch((error) => banner('The page cannot start: ' + error.message));
