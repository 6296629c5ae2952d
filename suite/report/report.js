// The script of a report. It reads the data of the page, fills the sections of report.html, and
// shows frames in 3D. Texts of runs enter the page as text nodes only.
'use strict';
(() => {

const data = JSON.parse(document.getElementById('data').textContent);
const runs = data.runs;
const several = runs.length > 1;
const $ = id => document.getElementById(id);

// --- Elements -----------------------------------------------------------------------------------

/** Makes an element. attributes: names and values; "on..." is a listener. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter(c => c !== null && c !== undefined));
  return element;
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => make('option', {value}, text)));
}

// --- Numbers for people -------------------------------------------------------------------------

function digits(value, count = 3) {
  if (value === 0) {
    return '0';
  }
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(count)))
    : value.toExponential(count - 1);
}

function time(ns) {
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['us', 1e3]]) {
    if (ns >= size) {
      return `${(ns / size).toPrecision(3)} ${unit}`;
    }
  }
  return ns === null || Number.isNaN(ns) ? '' : `${Math.round(ns)} ns`;
}

const percent = share => share === null || Number.isNaN(share) ? '' : `${digits(100 * share)} %`;

/** Formats an error of a column whose name ends with its unit. */
function error(name, value) {
  return Number.isNaN(value) ? '' : /_deg$/.test(name) ? `${digits(value)} deg`
    : /_(rel|size)$/.test(name) ? `${digits(100 * value)} %` : digits(value);
}

function inUnit(name, unit, value) {
  return unit === 'ns' ? time(value) : unit && unit !== '1' ? `${digits(value, 6)} ${unit}`
    : digits(value, 6);
}

// --- Arrays -------------------------------------------------------------------------------------

const types = {u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array,
  f64: Float64Array};
const decoded = new Map();

function array(index) {
  if (!decoded.has(index)) {
    const [type, text] = data.arrays[index];
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) {
      bytes[i] = raw.charCodeAt(i);
    }
    decoded.set(index, new types[type](bytes.buffer));
  }
  return decoded.get(index);
}

// --- Tables -------------------------------------------------------------------------------------

/**
 * Shows a table that sorts by its headers and filters by a text.
 *
 * columns  {name, title, value(row), text(row), number}; text is shown, value is sorted by
 * group    rows with equal group(row) stay below one line while nothing is sorted
 */
function table(place, caption, columns, rows, group) {
  let sorted = null, ascending = true, words = [];
  const body = make('tbody');
  const count = make('span', {'aria-live': 'polite'});
  const shown = columns.filter(c => rows.some(r => textOf(c, r) !== ''));
  function textOf(column, row) {
    const text = column.text ? column.text(row) : column.value(row);
    return text === null || text === undefined ? '' : String(text);
  }
  function compare(a, b) {
    const x = sorted.value(a), y = sorted.value(b);
    const missing = v => v === null || v === undefined || v === '' || Number.isNaN(v);
    if (missing(x) || missing(y)) {
      return missing(x) - missing(y);
    }
    const order = typeof x === 'number' && typeof y === 'number' ? x - y
      : String(x).localeCompare(String(y), 'en', {numeric: true});
    return ascending ? order : -order;
  }
  function draw() {
    const found = rows.filter(r => {
      const whole = shown.map(c => textOf(c, r)).join(' ').toLowerCase();
      return words.every(w => whole.includes(w));
    });
    if (sorted) {
      found.sort(compare);
    }
    let last;
    body.replaceChildren(...found.map(r => {
      const key = group && !sorted ? group(r) : last;
      const head = key !== last;
      last = key;
      return make('tr', {class: head ? 'head' : null}, ...shown.map(c => {
        const text = textOf(c, r);
        return make('td', {class: c.number ? 'n' : text.length > 40 ? 'text' : null}, text);
      }));
    }));
    count.textContent = `${found.length} of ${rows.length} rows`;
  }
  const heads = shown.map(c => make('th', {class: c.number ? 'n' : null, scope: 'col'},
    make('button', {type: 'button', title: c.title || 'sort by this column', onclick: () => {
      ascending = sorted === c ? !ascending : true;
      sorted = c;
      heads.forEach((h, i) => h.setAttribute('aria-sort', shown[i] !== c ? 'none'
        : ascending ? 'ascending' : 'descending'));
      draw();
    }}, c.name)));
  const filter = make('input', {type: 'search', placeholder: 'filter: words of a row',
    'aria-label': `Filter ${caption}`, oninput: e => {
      words = e.target.value.toLowerCase().split(/\s+/).filter(w => w);
      draw();
    }});
  draw();
  place.append(make('div', {class: 'tools'}, filter, count),
    make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
      make('table', {}, make('caption', {}, caption),
        make('thead', {}, make('tr', {}, ...heads)), body)));
}

const column = (name, value, more) => ({name, value, ...more});
const number = (name, value, text) => ({name, value, text, number: true});
const runColumn = column('run', r => several ? r.run.name : '');

const groupOf = r => `${r.run.name} ${r.scenario} ${r.quantity}`;

/** Lists the rows of all runs, each with its run. */
function rowsOf(list) {
  return runs.flatMap(run => (run[list] || []).map(row => ({...row, run})));
}

/** Shows a table of a file: {columns: [[name, unit, meaning]...], rows: [[...]...]}. */
function fileTable(section, key) {
  const place = $(section).querySelector('.table');
  for (const run of runs.filter(r => r[key])) {
    const {columns, rows} = run[key];
    table(place, several ? `${key} of ${run.name}` : key, columns.map(([name, unit, meaning], i) => {
      const isNumber = rows.every(r => r[i] === null || typeof r[i] === 'number');
      return {name, title: meaning, number: isNumber, value: r => r[i],
        text: r => r[i] === null ? '' : isNumber ? inUnit(name, unit, r[i]) : r[i]};
    }), rows);
  }
  $(section).hidden = !runs.some(r => r[key] && r[key].rows.length > 0);
}

// --- Runs and results ---------------------------------------------------------------------------

function interval(r) {
  return r.lo === null ? '' : `${digits(r.lo)}..${digits(r.hi)}${r.disturbed ? '!' : ''}`;
}

function showRuns() {
  runs.forEach((run, i) => {
    run.name = run.folder.split('/').filter(p => p).pop() || run.folder;
    if (runs.slice(0, i).some(r => r.name === run.name)) {
      run.name = `${run.name} (${i + 1})`;
    }
    const f = run.facts;
    $('runs').append(make('p', {class: 'facts'}, several ? make('b', {}, `${run.name}: `) : '',
      `experiment ${f.experiment || 'unknown'}, mode ${f.mode || 'unknown'}, proxbench ` +
      `${f.version || '?'}, commit ${f.commit || '?'}, on ${f.cpu || 'an unknown CPU'}, begun ` +
      `${f.start_utc || '?'}. `,
      f.command ? make('code', {}, f.command) : ''));
  });
  $('title').textContent = several ? runs.map(r => r.name).join(' and ') : runs[0].title;
  const notes = [data.apart, data.three_fault && `No frame is shown in 3D: ${data.three_fault}.`,
    ...runs.flatMap(run => [...run.notes, ...run.scenarios.filter(s => s.missing)
      .map(s => `${s.name} is not shown in 3D: ${s.missing}.`)]
      .map(text => several ? `${run.name}: ${text}` : text))].filter(n => n);
  $('notes').append(...notes.map(n => make('li', {}, n)));
  $('notes').hidden = notes.length === 0;
}

function showRanking() {
  table($('ranking').querySelector('.table'), 'ranking', [
    runColumn, column('scenario', r => r.scenario), column('quantity', r => r.quantity),
    column('tolerance', r => r.tolerance), column('role', r => r.role),
    column('variant', r => r.label), number('p99', r => r.p99_ns, r => time(r.p99_ns)),
    number('ratio', r => r.ratio, r => digits(r.ratio)), column('95 %', interval),
    number('off by', r => r.error, r => r.error_text),
    number('within', r => r.within, r => percent(r.within)),
  ], rowsOf('ranking'), groupOf);
  $('ranking').querySelector('.settings').textContent = runs.filter(r => r.settings)
    .map(r => `Settings${several ? ` of ${r.name}` : ''}: ${r.settings}`).join('. ');
}

function showVariants() {
  table($('variants').querySelector('.table'), 'variants', [
    runColumn, column('scenario', r => r.scenario), column('quantity', r => r.quantity),
    column('variant', r => r.label),
    number('time / baseline', r => r.ratio, r => r.ratio === null ? '' : digits(r.ratio)),
    column('95 %', interval), column('verdict', r => r.verdict),
    number('median', r => r.p50_ns, r => time(r.p50_ns)),
    number('p99', r => r.p99_ns, r => time(r.p99_ns)),
    number('mean error', r => r.error, r => r.error_text),
    number('largest error', r => r.error_max, r => r.error_max_text),
    number('within', r => r.within, r => percent(r.within)),
    column('front', r => [r.front && 'on the front', r.fastest && 'fastest within']
      .filter(t => t).join(', ')),
  ], rowsOf('points'), groupOf);
}

/** Shows the p99 and the error of each variant that all runs have. */
function showSide() {
  const keyOf = p => `${p.scenario}\n${p.quantity}\n${p.variant}`;
  const maps = runs.map(run => new Map(run.points.map(p => [keyOf(p), p])));
  const rows = [...maps[0].keys()].filter(k => maps.every(m => m.has(k)))
    .map(k => ({first: maps[0].get(k), all: maps.map(m => m.get(k))}));
  if (!several || rows.length === 0) {
    return;
  }
  $('side').hidden = false;
  table($('side').querySelector('.table'), 'side by side', [
    column('scenario', r => r.first.scenario), column('quantity', r => r.first.quantity),
    column('variant', r => r.first.label),
    ...runs.map((run, i) => number(`p99 ${run.name}`, r => r.all[i].p99_ns,
      r => time(r.all[i].p99_ns))),
    ...runs.slice(1).map((run, i) => number(`${run.name} / ${runs[0].name}`,
      r => r.all[i + 1].p99_ns / r.first.p99_ns, r => digits(r.all[i + 1].p99_ns / r.first.p99_ns))),
    ...runs.map((run, i) => number(`error ${run.name}`, r => r.all[i].error,
      r => r.all[i].error_text)),
  ], rows);
}

function picture(f) {
  const src = URL.createObjectURL(new Blob([f.svg || ''], {type: 'image/svg+xml'}));
  const name = `${f.figure || ''} ${f.quantity || ''} ${f.scenario || ''}`.trim() || f.file;
  return !f.svg ? make('p', {}, `${f.file} is too large for this page`) : make('figure', {}, make('img', {src, alt: `Figure: ${name}`}),
    make('figcaption', {}, name));
}

function showFigures() {
  for (const run of runs) {
    $('figures').querySelector('.pictures').append(...run.figures.map(picture));
    for (const s of run.simulations) {
      const names = Object.keys(s.rows[0] || {});
      table($('simulations').querySelector('.table'), several ? `${run.name}/${s.folder}` : s.folder,
        names.map(name => column(name, r => r[name])), s.rows);
      $('simulations').querySelector('.pictures').append(...s.figures.map(picture));
    }
  }
  $('figures').hidden = !runs.some(r => r.figures.length > 0);
  $('simulations').hidden = !runs.some(r => r.simulations.length > 0);
}

// --- Frames of a cell ---------------------------------------------------------------------------

/** A variant in a scenario of a run. */
class Cell {
  constructor(run, scenario, raw) {
    Object.assign(this, {run, scenario, raw});
    this.count = raw.frames || 0;
    this.columns = new Map([...Object.entries(raw.constants || {}),
      ...Object.entries(raw.columns || {}).map(([name, index]) => [name, array(index)])]);
    this.names = [...this.columns.keys()];
  }

  /** Returns a value of a frame; NaN if the field is empty or there is no such column. */
  value(name, frame) {
    const column = this.columns.get(name);
    return column === undefined ? NaN : typeof column === 'number' ? column : column[frame];
  }

  /** Returns the time of a frame; that of a variant that was measured elsewhere is its own. */
  time(frame) {
    return this.value(this.raw.elsewhere ? 'time_elsewhere_ns' : 'time_median_ns', frame);
  }

  vector(names, frame) {
    return names.map(n => this.value(n, frame));
  }

  /** 0: right, 1: wrong, NaN: no verdict or an ambiguous one. */
  wrong(frame) {
    return [NaN, 0, 0, 1, 1, NaN][this.value('verdict', frame)] ?? NaN;
  }

  /** Returns the absolute error that figures show of a quantity. */
  error(quantity, frame) {
    return quantity.error ? Math.abs(this.value(quantity.error, frame)) : this.wrong(frame);
  }

  /** Returns 1 if the frame is within the limit, 0 if not, NaN if it is not judged by it. */
  within(quantity, limit, frame) {
    if (limit.kind !== 'tolerance') {
      const e = this.error(quantity, frame);
      return Number.isNaN(e) ? NaN : Number(limit.kind === 'any' || e <= limit.most);
    }
    let holds = 1;
    for (let i = 0; i < quantity.limits.length; i++) {
      const [name, most] = quantity.limits[i];
      const e = name ? Math.abs(this.value(name, frame)) : this.wrong(frame);
      if (Number.isNaN(e) && i === 0) {
        return NaN;
      }
      if (name ? e > most : e > 0) {
        holds = 0;
      }
    }
    return holds;
  }

  /** Returns the share of judged frames that are answered in time and within the limit. */
  share(quantity, limit, deadline) {
    let good = 0, judged = 0;
    for (let f = 0; f < this.count; f++) {
      const w = this.within(quantity, limit, f);
      if (!Number.isNaN(w) && !Number.isNaN(this.error(quantity, f))) {
        judged++;
        good += w && this.time(f) <= deadline;
      }
    }
    return {share: judged ? good / judged : NaN, judged};
  }

  largest(value) {
    let best = -Infinity, frame = 0;
    for (let f = 0; f < this.count; f++) {
      if (value(f) > best) {
        best = value(f);
        frame = f;
      }
    }
    return frame;
  }
}

// --- Explorer -----------------------------------------------------------------------------------

const now = {scenario: null, cells: [], quantity: null, cell: null, frame: 0, times: [1, 2],
  errors: [1e-6, 1], deadline: Infinity, limit: {kind: 'tolerance'}, timer: 0};

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Returns the position of a value between two others on a logarithmic scale, from 0 to 1. */
function position([lo, hi], value) {
  return Math.min(1, Math.max(0, Math.log(value / lo) / Math.log(hi / lo)));
}

/** Returns the least value above `least` and the largest value of all frames of all cells. */
function range(value, least) {
  let lo = Infinity, hi = 0;
  for (const cell of now.cells) {
    for (let f = 0; f < cell.count; f++) {
      const v = value(cell, f);
      lo = v > least && v < lo ? v : lo;
      hi = v > hi ? v : hi;
    }
  }
  return [lo, hi];
}

function chooseScenario(name) {
  now.scenario = name;
  now.cells = runs.flatMap(run => run.scenarios.filter(s => s.name === name)
    .flatMap(s => s.cells.map(c => new Cell(run, s, c))));
  const quantities = runs.flatMap(r => r.scenarios.filter(s => s.name === name))[0].quantities;
  fill($('quantity'), quantities.map(q => [q.name, q.name]));
  const [lo, hi] = range((cell, f) => cell.time(f), 0);
  now.times = [Math.max(1, lo * 0.9), hi > 0 ? hi * 1.02 : 2];
  stop();
  now.cell = null;
  $('frame').hidden = true;
  chooseQuantity(quantities[0].name);
}

function chooseQuantity(name) {
  const scenario = runs.flatMap(r => r.scenarios).find(s => s.name === now.scenario);
  now.quantity = scenario.quantities.find(q => q.name === name);
  const [lo, hi] = range((cell, f) => cell.error(now.quantity, f), 1e-9);
  now.errors = hi > 0 ? [Math.min(lo, hi / 10), hi * 1.02] : [1e-9, 1];
  fill($('limit'), [['tolerance', `within ${now.quantity.tolerance}`], ['any', 'any'],
    ...now.quantity.error ? [['most', `${now.quantity.error} at most`]] : []]);
  $('deadline').value = 1000;
  readControls();
}

/** Reads deadline and limit from their controls and shows what depends on them. */
function readControls() {
  const scale = ([lo, hi], part) => lo * (hi / lo) ** (part / 1000);
  now.deadline = Math.round(scale(now.times, Number($('deadline').value)));
  now.limit = {kind: $('limit').value, most: scale(now.errors, Number($('error').value))};
  $('deadline-text').textContent = time(now.deadline);
  $('deadline-text').dataset.ns = now.deadline;
  $('deadline').setAttribute('aria-valuetext', time(now.deadline));
  $('error-label').hidden = now.limit.kind !== 'most';
  $('error-text').textContent = error(now.quantity.error || '', now.limit.most);
  $('error').setAttribute('aria-valuetext', $('error-text').textContent);
  showStrips();
}

function showStrips() {
  if ($('strips').firstElementChild?.cell !== now.cells[0]) {
    $('strips').replaceChildren(...now.cells.map(makeRow));
  }
  [...$('strips').children].forEach(updateRow);
}

function makeRow(cell) {
  const name = make('div', {class: 'name'}, make('i', {}), cell.raw.label,
    several ? make('small', {}, cell.run.name) : '',
    cell.raw.elsewhere ? make('small', {}, `measured elsewhere: ${cell.raw.elsewhere}`) : '',
    cell.raw.status !== 'ok' ? make('small', {class: 'bad'},
      `${cell.raw.status}${cell.raw.detail ? `: ${cell.raw.detail}` : ''}`) : '');
  name.querySelector('i').style.background = /^#[0-9A-Fa-f]{6}$/.test(cell.raw.colour)
    ? cell.raw.colour : '#888888';
  const share = make('div', {class: 'share'}, make('span'), make('div', {class: 'bar'}, make('i')));
  const strip = make('canvas', {class: 'strip', tabindex: cell.count ? '0' : '-1', role: 'slider',
    'aria-label': `Frames of ${cell.raw.variant}`, 'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, cell.count - 1), 'aria-valuenow': 0});
  const row = make('div', {class: 'row'}, name, share, strip);
  row.cell = cell;
  if (cell.count) {
    const pick = e => chooseFrame(cell, Math.floor(e.offsetX / strip.clientWidth * cell.count));
    strip.addEventListener('pointerdown', e => {
      strip.setPointerCapture(e.pointerId);
      pick(e);
    });
    strip.addEventListener('pointermove', e => e.buttons && pick(e));
    strip.addEventListener('keydown', e => moveByKey(e, cell));
  }
  return row;
}

function moveByKey(event, cell) {
  const steps = {ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity,
    End: Infinity};
  const rows = [...$('strips').children], row = rows.findIndex(r => r.cell === cell);
  const next = {ArrowUp: rows[row - 1], ArrowDown: rows[row + 1]}[event.key];
  if (event.key in steps) {
    chooseFrame(cell, (now.cell === cell ? now.frame : 0) + steps[event.key]);
  } else if (next && next.cell.count) {
    next.querySelector('.strip').focus();
    chooseFrame(next.cell, now.frame);
  } else if (event.key === 'Enter' || event.key === ' ') {
    now.cell === cell ? play() : chooseFrame(cell, now.frame);
  } else {
    return;
  }
  event.preventDefault();
}

function updateRow(row) {
  const cell = row.cell;
  const {share, judged} = cell.share(now.quantity, now.limit, now.deadline);
  const place = row.querySelector('.share'), strip = row.querySelector('.strip');
  place.dataset.share = share;
  place.firstChild.textContent = judged ? `${percent(share)} of ${judged}`
    : cell.count ? 'not judged' : 'no frames';
  place.querySelector('i').style.width = `${100 * (share || 0)}%`;
  row.classList.toggle('chosen', now.cell === cell);
  strip.setAttribute('aria-valuenow', now.frame);
  strip.setAttribute('aria-valuetext', `frame ${now.frame}`);
  drawStrip(strip, cell);
}

/** Draws one bar for each frame, or for the worst of the frames that share a pixel. */
function drawStrip(canvas, cell) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = canvas.height = Math.round(52 * ratio);
  const pen = canvas.getContext('2d');
  const bars = Math.min(cell.count, width), wide = width / (bars || 1);
  const gap = wide > 4 ? 1 : 0, middle = height / 2;
  const bad = css('--bad'), usual = {time: css('--time'), error: css('--error')};
  for (let i = 0; i < bars; i++) {
    let t = 0, e = NaN, off = false;
    const end = Math.floor((i + 1) * cell.count / bars);
    for (let f = Math.floor(i * cell.count / bars); f < end; f++) {
      const own = cell.error(now.quantity, f);
      t = Math.max(t, cell.time(f) || 0);
      e = Number.isNaN(e) || own > e ? own : e;
      off = off || cell.within(now.quantity, now.limit, f) === 0;
    }
    const x = i * wide, w = Math.max(1, wide - gap);
    const up = (0.04 + 0.96 * position(now.times, t)) * (middle - 2);
    pen.fillStyle = t > now.deadline ? bad : usual.time;
    pen.fillRect(x, middle - 1 - up, w, up);
    if (!Number.isNaN(e)) {
      const down = (0.04 + 0.96 * (e > 0 ? position(now.errors, e) : 0)) * (middle - 2);
      pen.fillStyle = off ? bad : usual.error;
      pen.fillRect(x, middle + 1, w, down);
    }
  }
  if (now.cell && cell.count > now.frame) {
    pen.fillStyle = css('--text');
    pen.fillRect((now.frame + 0.5) / cell.count * width - ratio, 0, 2 * ratio, height);
  }
}

// --- A frame ------------------------------------------------------------------------------------

function chooseFrame(cell, frame) {
  const changed = now.cell !== cell;
  now.cell = cell;
  now.frame = Math.min(cell.count - 1, Math.max(0, frame));
  $('frame').hidden = false;
  Object.assign($('number'), {max: cell.count - 1, value: now.frame});
  $('number-text').textContent = `${now.frame} of ${cell.count}`;
  [...$('strips').children].forEach(updateRow);
  showNumbers();
  showSpace(changed);
}

function stop() {
  clearInterval(now.timer);
  now.timer = 0;
  $('play').textContent = 'Play';
}

/** Starts or stops to play the path; at its end it begins again. */
function play() {
  if (now.timer) {
    stop();
    return;
  }
  $('play').textContent = 'Stop';
  now.frame = now.frame === now.cell.count - 1 ? -1 : now.frame;
  now.timer = setInterval(() => {
    chooseFrame(now.cell, now.frame + 1);
    now.frame === now.cell.count - 1 && stop();
  }, 80);
}

const xyz = (stem, end) => ['x', 'y', 'z'].map(axis => stem + axis + end);

/** Returns the names of the force or torque columns of the variant, and of the truth by its law. */
function forceNames(cell, letter) {
  const find = start => cell.names.find(n => n.startsWith(start)) || '';
  const axes = name => name ? xyz(...name.split(/(?<=[ft])x(?=_)/)) : [];
  const law = {depth: 'truth_depth_force_', 'depth-exchanged': 'truth_depth_force_exchanged_'};
  return [axes(find(`${letter}x_`)), axes(find(`${law[cell.raw.law] || 'truth_'}${letter}x_`))];
}

function showNumbers() {
  const {cell, frame} = now;
  const used = new Set();
  const space = cell.scenario.space;
  const unitOf = name => (data.meanings[name] || [''])[0];
  const text = names => {
    names.forEach(n => used.add(n));
    const values = cell.vector(names, frame);
    return values.some(Number.isNaN) || !values.length ? ''
      : names.length === 1 ? inUnit(names[0], unitOf(names[0]), values[0])
      : values.map(v => digits(v, 4)).join('\n');
  };
  const bracket = (lo, hi) => {
    const [a, b] = [text([lo]), text([hi])];
    return a === b ? a : `${a}\nto ${b}`;
  };
  const truthPoint = i => space && space.witness !== undefined
    ? [0, 1, 2].map(k => digits(array(space.witness)[6 * frame + i + k] + space.centre[k], 4))
      .join('\n') : '';
  const [force, trueForce] = forceNames(cell, 'f'), [torque, trueTorque] = forceNames(cell, 't');
  const rows = [
    ['distance', text(['distance_m']), bracket('truth_distance_lo_m', 'truth_distance_hi_m')],
    ['nearest point of A', text(xyz('witness_a', '_m')), truthPoint(0)],
    ['nearest point of B', text(xyz('witness_b', '_m')), truthPoint(3)],
    ['volume', text(['volume_m3']), bracket('truth_volume_lo_m3', 'truth_volume_hi_m3')],
    ['depth', text(['depth_m']), bracket('truth_depth_lo_m', 'truth_depth_hi_m')],
    ['direction', text(xyz('n', '')), text(xyz('truth_n', ''))],
    ['force', text(force), text(trueForce)], ['torque', text(torque), text(trueTorque)],
    ['pairs of triangles', text(['intersecting_pairs_count']),
      bracket('truth_pairs_lo', 'truth_pairs_hi')]];
  const verdict = ['', 'right: contact', 'right: no contact', 'wrong: contact claimed',
    'wrong: contact missed', 'ambiguous'][cell.value('verdict', frame)];
  const errors = cell.names.filter(n => /_(rel|size|deg)$/.test(n) &&
    !Number.isNaN(cell.value(n, frame)));
  errors.forEach(n => used.add(n));
  used.add('verdict');
  const line = (...cells) => make('tr', {}, make('th', {scope: 'row'}, cells[0]),
    ...cells.slice(1).map(c => make('td', {class: 'n lines'}, c)));
  const rest = cell.names.filter(n => !used.has(n) && !Number.isNaN(cell.value(n, frame)));
  $('numbers').replaceChildren(
    make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Numbers'},
      make('table', {}, make('caption', {},
        `${cell.scenario.name}, ${cell.raw.label}, frame ${frame}` +
        (several ? ` of ${cell.run.name}` : '')),
      make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, ''),
        make('th', {scope: 'col', class: 'n'}, 'answer'),
        make('th', {scope: 'col', class: 'n'}, 'truth'))),
      make('tbody', {}, ...rows.filter(r => r[1] || r[2]).map(r => line(...r)),
        verdict ? line('verdict', verdict, '') : null,
        line('time', time(cell.time(frame)), ''),
        ...errors.map(n => line(n, error(n, cell.value(n, frame)), ''))))),
    make('details', {}, make('summary', {}, `${rest.length} more columns`),
      make('table', {}, make('tbody', {}, ...rest.map(n => line(n,
        inUnit(n, unitOf(n), cell.value(n, frame))))))),
    cell.raw.left_out?.length ? make('p', {class: 'hint'}, 'Left out of this page, to keep it ' +
      `small: ${cell.raw.left_out.join(', ')}.`) : '');
}

// --- 3D -----------------------------------------------------------------------------------------

const colours = {a: 0x8fa3b8, b: 0xd8a45a, parts: [0x2f6f9f, 0xb35c1e], answer: 0xc2185b,
  truth: 0x1b8a4b, contacts: 0x6a1b9a, regions: 0x00838f};
const layers = [['a', 'body A', colours.a], ['b', 'body B', colours.b], ['glass', 'transparent'],
  ['partsA', 'parts of A', colours.parts[0]], ['partsB', 'parts of B', colours.parts[1]],
  ...['answer', 'truth', 'contacts', 'regions'].map(name => [name, name, colours[name]])];
let space = null; // the three.js scene, once a frame was shown

function openSpace() {
  const canvas = $('canvas');
  const renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true});
  const camera = new THREE.PerspectiveCamera(35, 1, 1e-6, 1e6);
  const controls = new THREE.OrbitControls(camera, canvas);
  controls.enableKeys = false;
  controls.enableZoom = false; // until the canvas has the focus: a wheel above it scrolls the page
  ['focus', 'blur'].forEach(kind => canvas.addEventListener(kind,
    () => { controls.enableZoom = kind === 'focus'; }));
  canvas.addEventListener('pointerdown', () => canvas.focus({preventScroll: true}));
  canvas.addEventListener('keydown', turnByKey);
  controls.addEventListener('change', render);
  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight(0xffffff, 0x667788, 0.75));
  const lamp = new THREE.DirectionalLight(0xffffff, 0.55);
  camera.add(lamp);
  lamp.position.set(0.4, 0.6, 1);
  const groups = Object.fromEntries(layers.map(([name]) => [name, new THREE.Group()]));
  const moving = new THREE.Group(); // B and its parts, in the frame of B
  moving.matrixAutoUpdate = false;
  moving.add(groups.b, groups.partsB);
  scene.add(camera, groups.a, groups.partsA, moving, groups.answer, groups.truth, groups.contacts,
    groups.regions);
  space = {renderer, camera, controls, scene, groups, moving, bodies: null, size: 1};
  new ResizeObserver(render).observe(canvas);
}

function clear(group) {
  group.traverse(o => o.geometry && [o.geometry, o.material].forEach(part => part.dispose()));
  group.remove(...group.children);
}

function showBody(group, body, colour) {
  clear(group);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(array(body.positions), 3, false));
  geometry.setIndex(new THREE.BufferAttribute(array(body.faces), 1));
  const mesh = new THREE.Mesh(geometry, new THREE.MeshPhongMaterial({color: colour,
    flatShading: true, shininess: 12, side: THREE.DoubleSide}));
  mesh.scale.setScalar(body.step);
  mesh.position.set(...body.corner);
  group.add(mesh);
}

/** Points that look like balls of their own radii. */
function balls(positions, radii, colour) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute('radius', new THREE.BufferAttribute(radii, 1));
  const material = new THREE.ShaderMaterial({
    uniforms: {colour: {value: new THREE.Color(colour)}, pixels: {value: 1}},
    vertexShader: 'attribute float radius; uniform float pixels; void main() { vec4 p = ' +
      'modelViewMatrix * vec4(position, 1.0); gl_Position = projectionMatrix * p; ' +
      'gl_PointSize = max(1.5, 2.0 * radius * pixels / -p.z); }',
    fragmentShader: 'uniform vec3 colour; void main() { vec2 q = 2.0 * gl_PointCoord - 1.0; ' +
      'float r = dot(q, q); if (r > 1.0) discard; float light = 0.35 + 0.65 * sqrt(1.0 - r) * ' +
      '(0.8 - 0.3 * q.y); gl_FragColor = vec4(colour * light, 1.0); }'});
  const points = new THREE.Points(geometry, material);
  points.frustumCulled = false;
  return points;
}

function showParts(group, parts, colour) {
  clear(group);
  for (const part of parts || []) {
    const items = array(part.items), wide = part.kind === 'spheres' ? 4 : 3;
    const positions = new Float32Array(3 * part.shown), radii = new Float32Array(part.shown);
    for (let i = 0; i < part.shown; i++) {
      for (let k = 0; k < 3; k++) {
        positions[3 * i + k] = part.corner[k] + part.step * items[wide * i + k];
      }
      radii[i] = wide === 4 ? part.step * items[4 * i + 3]
        : part.kind === 'voxels' ? 0.5 * part.size : 0.0022 * space.size;
    }
    group.add(balls(positions, radii, colour));
  }
}

function thickLine(points, colour, width) {
  const geometry = new THREE.LineGeometry();
  geometry.setPositions(points.flat());
  const material = new THREE.LineMaterial({color: colour, linewidth: width, depthTest: false});
  const line = new THREE.Line2(geometry, material);
  line.renderOrder = 2;
  line.frustumCulled = false;
  return line;
}

const add = (p, s, v) => p.map((x, i) => x + s * v[i]);
const norm = v => Math.hypot(...v);

function arrow(from, along, colour, width) {
  const length = norm(along), group = new THREE.Group();
  if (!(length > 0)) {
    return group;
  }
  const direction = along.map(x => x / length), head = Math.min(0.35 * length, 0.05 * space.size);
  group.add(thickLine([from, add(from, length - head, direction)], colour, width));
  const cone = new THREE.Mesh(new THREE.ConeBufferGeometry(0.35 * head, head, 16),
    new THREE.MeshBasicMaterial({color: colour, depthTest: false}));
  cone.renderOrder = 2;
  cone.position.set(...add(from, length - head / 2, direction));
  cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...direction));
  group.add(cone);
  return group;
}

function ends(points, colour) {
  const radii = new Float32Array(points.length).fill(0.009 * space.size);
  const marks = balls(new Float32Array(points.flat()), radii, colour);
  marks.material.depthTest = false;
  marks.renderOrder = 3;
  return marks;
}

/** Shows nearest points, depth, force and torque: of the answer, and of the truth in its colour. */
function showVectors(cell, frame, raw) {
  const {groups, size} = space, known = v => v.length === 3 && v.every(Number.isFinite);
  const [force, trueForce] = forceNames(cell, 'f'), [torque, trueTorque] = forceNames(cell, 't');
  const place = new THREE.Box3().setFromObject(groups.b).getCenter(new THREE.Vector3()).toArray();
  let middle = place;
  const witness = ['a', 'b'].map(k => add(cell.vector(xyz(`witness_${k}`, '_m'), frame), -1,
    raw.centre));
  if (witness.every(known)) {
    groups.answer.add(thickLine(witness, colours.answer, 4), ends(witness, colours.answer));
  }
  if (raw.witness !== undefined) {
    const all = array(raw.witness);
    const truth = [0, 3].map(k => [...all.slice(6 * frame + k, 6 * frame + k + 3)]);
    groups.truth.add(thickLine(truth, colours.truth, 2.5), ends(truth, colours.truth));
    middle = truth[0];
  }
  const show = (group, from, names, length, colour, width) => {
    const v = cell.vector(names, frame);
    if (known(v) && norm(v) > 0 && length > 0) {
      group.add(arrow(from, v.map(x => x * length / norm(v)), colour, width));
    }
  };
  for (const [group, colour, wide, start, depth, f, t] of [
    [groups.answer, colours.answer, 4, 'n', 'depth_m', force, torque],
    [groups.truth, colours.truth, 2.5, 'truth_n', 'truth_depth_hi_m', trueForce, trueTorque]]) {
    const d = cell.value(depth, frame);
    show(group, middle, xyz(start, ''), d > 0 ? Math.max(d, 0.15 * size) : 0, colour, wide);
    show(group, place, f, 0.4 * size, colour, wide); // units differ: all forces have one length
    show(group, place, t, 0.2 * size, colour, wide / 2);
  }
}

function showContacts(cell, frame) {
  const {groups, size} = space, raw = cell.raw.contacts;
  if (!raw) {
    return;
  }
  const starts = array(raw.starts), items = array(raw.items), points = [], lines = [];
  for (let i = starts[frame]; i < starts[frame + 1]; i++) {
    const [point, normal] = [0, 3].map(k => [...items.slice(7 * i + k, 7 * i + k + 3)]);
    points.push(point);
    lines.push(...point, ...add(point, 0.05 * size, normal));
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(lines), 3));
  const segments = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(
    {color: colours.contacts, depthTest: false}));
  segments.frustumCulled = false;
  groups.contacts.add(segments, ends(points, colours.contacts));
}

function showRegions(cell, frame, raw) {
  if (cell.raw.regions === undefined) {
    return;
  }
  const all = array(cell.raw.regions), wide = 16;
  for (let i = 0; i < all.length; i += wide) {
    if (all[i] === frame) {
      const v = k => [...all.slice(i + k, i + k + 3)];
      const direction = v(1), depth = all[i + 4], middle = add(v(5), -1, raw.centre);
      const [u, w] = [v(8).map(x => x * all[i + 14]), v(11).map(x => x * all[i + 15])];
      if (middle.every(Number.isFinite)) {
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]
          .map(([s, t]) => add(add(middle, s, u), t, w));
        space.groups.regions.add(thickLine(corners, colours.regions, 2), arrow(middle,
          direction.map(x => x * Math.max(depth, 0.12 * space.size)), colours.regions, 3));
      }
    }
  }
}

function placeCamera() {
  const box = new THREE.Box3();
  space.scene.updateMatrixWorld(true);
  box.expandByObject(space.groups.a);
  box.expandByObject(space.moving);
  const ball = box.getBoundingSphere(new THREE.Sphere());
  const distance = 1.05 * ball.radius / Math.sin(35 * Math.PI / 360);
  space.controls.target.copy(ball.center);
  space.camera.position.copy(ball.center).add(new THREE.Vector3(0.55, -0.72, 0.42)
    .normalize().multiplyScalar(distance));
  space.camera.up.set(0, 0, 1);
  space.camera.near = distance / 100;
  space.camera.far = distance * 20;
  space.controls.update();
}

/** Shows the chosen frame. changed: another cell was chosen. */
function showSpace(changed) {
  const {cell, frame} = now, raw = cell.scenario.space;
  const fault = data.three_fault || cell.scenario.missing;
  $('view-fault').hidden = !fault;
  $('canvas').hidden = $('layers').hidden = Boolean(fault);
  if (fault) {
    $('view-fault').textContent = `No frame is shown in 3D: ${fault}.`;
    return;
  }
  const begin = performance.now();
  try {
    space || openSpace();
  } catch (e) {
    data.three_fault = `this browser has no WebGL (${e.message})`;
    return void showSpace(changed);
  }
  const {groups} = space;
  if (space.bodies !== raw) {
    space.size = raw.size;
    showBody(groups.a, raw.a, colours.a);
    showBody(groups.b, raw.b, colours.b);
  }
  if (changed || space.bodies !== raw) {
    const parts = cell.raw.parts || [];
    showParts(groups.partsA, parts[0], colours.parts[0]);
    showParts(groups.partsB, parts[1], colours.parts[1]);
    showLayers();
    $('bodies').textContent = ['a', 'b'].map((k, i) => `${k.toUpperCase()}: ${raw[k].reference}` +
      (raw[k].shown < raw[k].triangles ? ` (${raw[k].shown} of ${raw[k].triangles} triangles)` : '') +
      (parts[i] || []).map(p => `, ${p.shown < p.total ? `${p.shown} of ` : ''}${p.total} ${p.kind}`)
        .join('')).join('. ') + '.';
  }
  const p = array(raw.poses).subarray(12 * frame, 12 * frame + 12); // a rotation, a translation
  space.moving.matrix.set(p[0], p[1], p[2], p[9], p[3], p[4], p[5], p[10], p[6], p[7], p[8], p[11],
    0, 0, 0, 1);
  space.moving.matrixWorldNeedsUpdate = true;
  const first = space.bodies === null, other = space.bodies !== raw;
  space.bodies = raw;
  other && placeCamera();
  space.scene.updateMatrixWorld(true);
  for (const name of ['answer', 'truth', 'contacts', 'regions']) {
    clear(groups[name]);
  }
  showVectors(cell, frame, raw);
  showContacts(cell, frame);
  showRegions(cell, frame, raw);
  render();
  if (first) {
    document.body.dataset.firstFrameMs = Math.round(performance.now() - begin);
  }
}

function showLayers() {
  for (const [name] of layers) {
    space.groups[name].visible = $(`layer-${name}`).checked;
  }
  const glass = $('layer-glass').checked;
  for (const name of ['a', 'b']) {
    space.groups[name].traverse(o => {
      if (o.material) {
        Object.assign(o.material, {transparent: glass, opacity: glass ? 0.3 : 1,
          depthWrite: !glass, side: glass ? THREE.FrontSide : THREE.DoubleSide});
        o.material.needsUpdate = true;
        o.renderOrder = glass ? 1 : 0;
      }
    });
  }
}

function render() {
  const canvas = $('canvas'), {renderer, camera, scene} = space;
  const width = canvas.clientWidth || 1, height = canvas.clientHeight || 1;
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  if (canvas.width !== Math.floor(width * ratio) || canvas.height !== Math.floor(height * ratio)) {
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  }
  const pixels = height * ratio / (2 * Math.tan(camera.fov * Math.PI / 360));
  scene.traverse(o => {
    if (o.material && o.material.resolution) {
      o.material.resolution.set(width, height);
    }
    if (o.material && o.material.uniforms && o.material.uniforms.pixels) {
      o.material.uniforms.pixels.value = pixels;
    }
  });
  renderer.render(scene, camera);
}

function turnByKey(event) {
  const turns = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  const {camera, controls} = space;
  const offset = camera.position.clone().sub(controls.target);
  if (event.key in turns) {
    const [side, up] = turns[event.key];
    const axis = new THREE.Vector3().crossVectors(camera.up, offset).normalize();
    const turned = offset.clone().applyAxisAngle(axis, up * 0.1);
    const upright = Math.abs(turned.angleTo(camera.up) - Math.PI / 2) < 1.5; // not over a pole
    offset.copy(upright ? turned : offset).applyAxisAngle(camera.up, side * 0.1);
  } else if (event.key === '+' || event.key === '-') {
    offset.multiplyScalar(event.key === '+' ? 1 / 1.15 : 1.15);
  } else {
    return;
  }
  camera.position.copy(controls.target).add(offset);
  controls.update();
  event.preventDefault();
}

// --- The page -----------------------------------------------------------------------------------

function showFrames() {
  const names = [...new Set(runs.flatMap(r => r.scenarios.map(s => s.name)))];
  if (names.length === 0) {
    return;
  }
  $('frames').hidden = false;
  const common = names.find(n => runs.every(r => r.scenarios.some(s => s.name === n)));
  fill($('scenario'), names.map(n => [n, n]));
  $('scenario').value = common || names[0];
  $('scenario').addEventListener('change', e => chooseScenario(e.target.value));
  $('quantity').addEventListener('change', e => chooseQuantity(e.target.value));
  ['deadline', 'error', 'limit'].forEach(id => $(id).addEventListener('input', readControls));
  $('play').addEventListener('click', play);
  $('reset').addEventListener('click', () => { placeCamera(); render(); });
  $('number').addEventListener('input', e => chooseFrame(now.cell, Number(e.target.value)));
  $('worst-time').addEventListener('click', () => chooseFrame(now.cell,
    now.cell.largest(f => now.cell.time(f))));
  $('worst-error').addEventListener('click', () => chooseFrame(now.cell,
    now.cell.largest(f => now.cell.error(now.quantity, f))));
  $('layers').append(...layers.map(([name, text, colour]) => {
    const box = make('input', {type: 'checkbox', id: `layer-${name}`, checked: true,
      onchange: () => { showLayers(); render(); }});
    const key = make('span', {class: 'key', 'aria-hidden': 'true'});
    key.style.background = colour ? `#${colour.toString(16).padStart(6, '0')}` : 'transparent';
    return make('label', {}, box, key, text);
  }));
  chooseScenario($('scenario').value);
  const redraw = () => [...$('strips').children].forEach(updateRow);
  window.addEventListener('resize', redraw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

showRuns();
showRanking();
showSide();
fileTable('claims', 'claims');
showFrames();
showFigures();
showVariants();
fileTable('cells', 'cells');
fileTable('builds', 'builds');
$('variants').hidden = rowsOf('points').length === 0;
$('ranking').hidden = rowsOf('ranking').length === 0;
$('three').textContent = data.three_fault ? '3D is left out.'
  : `3D is drawn by three.js, revision ${THREE.REVISION}, as Debian packages it (libjs-three).`;
document.querySelector('#about details').hidden = Boolean(data.three_fault);
$('sections').append(...[...document.querySelectorAll('main > section')].filter(s => !s.hidden)
  .map(s => make('a', {href: `#${s.id}`}, s.querySelector('h2').textContent)));
document.body.dataset.ready = 'true';

})();
