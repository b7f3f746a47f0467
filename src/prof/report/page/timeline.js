// The timeline: a row for each thread, its states, arrows between threads; the overview above it.

const ROW = 24, BAR = 18, AXIS = 22, GUTTER = 96;
// Of the arrows in view, those with the longest waits are drawn, if they are this many pixels long.
const MOST_ARROWS = 250, ARROW_PIXELS = [4, 3, 8, 3], ARROW_NAMES = ["transfer", "lock", "late", "post"];
const tracks = byId("tracks"), rowsBox = byId("rows"), overview = byId("overview");
const hasTimeline = data.timeline !== null && data.timeline.rows.length > 0;
let marking = null;
let stateOfPath = null;
let litPaths = null;

function rowName(row) { return row.pthread === 0 ? `thread ${row.thread}` : `  pthread ${row.thread}.${row.pthread}`; }
function rowOfThread(thread) { return data.timeline.rows.findIndex((row) => row.thread === thread && row.pthread === 0); }

// The scale between times and pixels of the drawing.
function scaleOf(canvas) {
  const width = Math.max(canvas.parentElement.clientWidth, 200);
  const pixels = Math.max(width - GUTTER, 50);
  const perPixel = (place.to - place.from) / pixels;
  return { width, perPixel, x: (time) => GUTTER + (time - place.from) / perPixel, time: (x) => place.from + (x - GUTTER) * perPixel };
}

const drawTimeline = atNextFrame(drawTimelineNow);
function drawTimelineNow() {
  if (!hasTimeline) return;
  const rows = data.timeline.rows;
  const scale = scaleOf(tracks);
  const height = Math.min(AXIS + rows.length * ROW + 4, Math.max(160, Math.round(innerHeight * 0.66)));
  byId("tall").style.height = `${AXIS + rows.length * ROW + 4}px`;
  const pen = prepare(tracks, scale.width, height);
  const top = rowsBox.scrollTop;
  const first = Math.max(0, Math.floor(top / ROW)), last = Math.min(rows.length, Math.ceil((top + height - AXIS) / ROW));
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const level = levelFor(scale.perPixel * 2);
  for (let row = first; row < last; row++) {
    const y = AXIS + row * ROW - top + (ROW - BAR) / 2;
    drawRow(pen, partsOf(row, level), scale, y);
  }
  drawCritical(pen, scale, top, height);
  drawArrows(pen, scale, top, height);
  drawMarks(pen, scale, top, height);
  drawNames(pen, first, last, top, height);
  drawAxis(pen, scale);
}

// Draws the parts of a row. Parts that share a pixel are drawn as a column, divided by the time of each state.
function drawRow(pen, parts, scale, y) {
  const end = place.to;
  const rectangles = data.states.map(() => []);
  const column = new Float64Array(STATE_COUNT);
  let columnX = -1, columnTime = 0;
  const flush = () => {
    if (columnX < 0) return;
    let at = y;
    for (let state = 0; state < STATE_COUNT && columnTime > 0; state++) {
      if (column[state] === 0) continue;
      const part = BAR * column[state] / columnTime;
      rectangles[state].push(columnX, at, 1, part, 1);
      at += part;
      column[state] = 0;
    }
    columnX = -1;
    columnTime = 0;
  };
  for (let part = partAt(parts, place.from); part < parts.count && parts.starts[part] < end; part++) {
    const path = parts.paths[part];
    const x = Math.max(scale.x(parts.starts[part]), GUTTER), to = Math.min(scale.x(parts.starts[part + 1]), scale.width);
    if (to <= GUTTER) continue;
    if (path !== MIXED && to - x >= 1) {
      flush();
      const lit = litPaths === null || litPaths[path];
      rectangles[stateOfPath[path]].push(x, y, Math.max(to - x, 1), BAR, lit ? 1 : 0.25);
    } else if (path === MIXED && to - x >= 2) {
      flush();
      let at = y;
      const all = parts.starts[part + 1] - parts.starts[part];
      for (let state = 0; state < STATE_COUNT; state++) {
        const share = BAR * parts.times[parts.at[part] + state] / all;
        if (share > 0) rectangles[state].push(x, at, to - x, share, litPaths === null ? 1 : 0.25);
        at += share;
      }
    } else {
      if (Math.floor(x) !== columnX) {
        flush();
        columnX = Math.floor(x);
      }
      columnTime += parts.starts[part + 1] - parts.starts[part];
      if (path !== MIXED) column[stateOfPath[path]] += parts.starts[part + 1] - parts.starts[part];
      else for (let state = 0; state < STATE_COUNT; state++) column[state] += parts.times[parts.at[part] + state];
    }
  }
  flush();
  fillRectangles(pen, rectangles);
}

function fillRectangles(pen, rectangles) {
  rectangles.forEach((list, state) => {
    pen.fillStyle = stateColour(state);
    for (let at = 0; at < list.length; at += 5) {
      pen.globalAlpha = list[at + 4];
      pen.fillRect(list[at], list[at + 1], list[at + 2], list[at + 3]);
    }
  });
  pen.globalAlpha = 1;
}

// The arrows in view: those with the longest waits.
function arrowsInView(scale) {
  const shown = ARROW_NAMES.map((name) => byId(`show-${name}`).checked);
  const found = [];
  for (const arrow of data.arrows.rows) {
    const [kind, , from, , to, time] = arrow;
    if (!shown[kind] || time < ARROW_PIXELS[kind] * scale.perPixel || to < place.from || from > place.to) continue;
    found.push(arrow);
    if (found.length >= MOST_ARROWS) break;
  }
  return found;
}

function drawArrows(pen, scale, top, height) {
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, AXIS, scale.width - GUTTER, height - AXIS);
  pen.clip();
  const middle = (row) => AXIS + row * ROW - top + ROW / 2;
  const arrows = arrowsInView(scale);
  const strong = arrows.length < 60;
  for (const [kind, fromThread, from, toThread, to] of arrows) {
    const a = rowOfThread(fromThread), b = rowOfThread(toThread);
    if (a < 0 || b < 0) continue;
    pen.strokeStyle = pen.fillStyle = colour("arrow");
    pen.globalAlpha = strong ? 0.8 : 0.4;
    pen.setLineDash(kind === 2 ? [4, 3] : []);
    arrowLine(pen, scale.x(from), middle(a), scale.x(to), middle(b));
  }
  pen.restore();
}

// The legs of the critical path that are in view.
function criticalInView() {
  return data.critical.filter(([, from, to]) => to > place.from && from < place.to);
}

// A line below the bars of the threads that the critical path leads through, and from each to the next. It stays with a
// thread until the next one goes on: between the two, none of them had a processor.
function drawCritical(pen, scale, top, height) {
  if (!byId("show-critical").checked) return;
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, AXIS, scale.width - GUTTER, height - AXIS);
  pen.clip();
  pen.strokeStyle = colour("path");
  pen.lineWidth = 3;
  pen.beginPath();
  let lastX = null, lastY = 0;
  for (const [thread, from, to] of criticalInView()) {
    const row = rowOfThread(thread), x = scale.x(from), end = scale.x(to);
    // Legs that cannot be seen are left out.
    if (row < 0 || (lastX !== null && end - lastX < 0.5)) continue;
    const y = AXIS + (row + 1) * ROW - top - 1.5;
    if (lastX === null) pen.moveTo(x, y);
    else {
      pen.lineTo(x, lastY);
      pen.lineTo(x, y);
    }
    pen.lineTo(end, y);
    [lastX, lastY] = [end, y];
  }
  pen.stroke();
  pen.restore();
}

// The threads that the critical path leads through in the span in view, those with most of it first.
function criticalText() {
  const times = new Map();
  for (const [thread, from, to] of criticalInView()) {
    times.set(thread, (times.get(thread) || 0) + Math.min(to, place.to) - Math.max(from, place.from));
  }
  const all = sum(Array.from(times.values()));
  const order = Array.from(times).sort((a, b) => b[1] - a[1]);
  return order.slice(0, 4).map(([thread, time]) => `thread ${thread} ${percentText(time, all)}`).join(", ");
}

function arrowLine(pen, x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2 - 5 * dx, y2 - 5 * dy);
  pen.stroke();
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(x2, y2);
  pen.lineTo(x2 - 7 * dx - 3.5 * dy, y2 - 7 * dy + 3.5 * dx);
  pen.lineTo(x2 - 7 * dx + 3.5 * dy, y2 - 7 * dy - 3.5 * dx);
  pen.fill();
}

// The moment of the chosen finding, the chosen thread, the span that is being marked.
function drawMarks(pen, scale, top, height) {
  const moment = place.finding === null ? null : data.findings[place.finding].moment;
  pen.strokeStyle = colour("text");
  pen.lineWidth = 2;
  if (moment) {
    const y = AXIS + rowOfThread(moment.thread) * ROW - top + (ROW - BAR) / 2;
    const from = Math.max(scale.x(moment.from), GUTTER - 2), to = Math.min(scale.x(moment.to), scale.width + 2);
    if (to > GUTTER && from < scale.width) pen.strokeRect(from - 1, y - 2, Math.max(to - from, 2) + 2, BAR + 4);
  }
  if (marking) {
    pen.fillStyle = colour("accent");
    pen.globalAlpha = 0.2;
    pen.fillRect(Math.min(marking.x, marking.now), AXIS, Math.abs(marking.now - marking.x), height);
    pen.globalAlpha = 1;
  }
}

function drawNames(pen, first, last, top, height) {
  pen.fillStyle = colour("panel");
  pen.fillRect(0, 0, GUTTER - 1, height);
  for (let row = first; row < last; row++) {
    const { thread } = data.timeline.rows[row];
    const y = AXIS + row * ROW - top;
    if (thread === place.thread) {
      pen.fillStyle = colour("mark");
      pen.fillRect(0, y + 1, GUTTER - 4, ROW - 2);
    }
    pen.fillStyle = colour("text");
    pen.fillText(rowName(data.timeline.rows[row]), 6, y + ROW / 2, GUTTER - 12);
  }
}

function drawAxis(pen, scale) {
  pen.fillStyle = colour("panel");
  pen.fillRect(0, 0, scale.width, AXIS - 2);
  pen.fillStyle = pen.strokeStyle = colour("faint");
  pen.lineWidth = 1;
  const rough = scale.perPixel * 110, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((times) => power * times >= rough);
  const zero = data.run.first;
  // Digits that tell neighbouring marks apart.
  const unit = TIMES.find(([size]) => Math.max(place.to - zero, step) >= size) || TIMES[3];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit[0]) - 1e-9));
  for (let time = Math.ceil((place.from - zero) / step) * step; time <= place.to - zero; time += step) {
    const x = Math.round(scale.x(time + zero)) + 0.5;
    pen.beginPath();
    pen.moveTo(x, AXIS - 6);
    pen.lineTo(x, AXIS - 2);
    pen.stroke();
    const text = `${(time / unit[0]).toFixed(digits)} ${unit[1]}`, length = pen.measureText(text).width;
    // The last one may not fit behind its mark.
    pen.fillText(text, x + 3 + length > scale.width ? x - 3 - length : x + 3, AXIS / 2 - 2);
  }
}

// The whole run, all threads together, with the span in view.
let overviewSums = null;
function drawOverview() {
  if (!hasTimeline) return;
  const width = Math.max(overview.parentElement.clientWidth, 200), height = 34;
  const pen = prepare(overview, width, height);
  const { first, last } = data.run;
  const pixels = width - GUTTER, perPixel = Math.max(last - first, 1) / pixels;
  if (overviewSums === null || overviewSums.length !== Math.floor(pixels)) overviewSums = sumsByPixel(Math.floor(pixels), perPixel);
  overviewSums.forEach((sums, x) => {
    let y = 0;
    const all = perPixel * data.timeline.rows.length;
    for (let state = STATE_COUNT - 1; state >= 0; state--) {
      const part = height * sums[state] / all;
      if (part <= 0) continue;
      pen.fillStyle = stateColour(state);
      pen.fillRect(GUTTER + x, y, 1.5, part);
      y += part;
    }
  });
  const from = GUTTER + (place.from - first) / perPixel, to = GUTTER + (place.to - first) / perPixel;
  pen.fillStyle = colour("panel");
  pen.globalAlpha = 0.65;
  pen.fillRect(GUTTER, 0, from - GUTTER, height);
  pen.fillRect(to, 0, width - to, height);
  pen.globalAlpha = 1;
  pen.strokeStyle = colour("text");
  pen.strokeRect(from + 0.5, 0.5, Math.max(to - from, 3) - 1, height - 1);
  pen.fillStyle = colour("faint");
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.fillText("whole run", 6, height / 2);
}

function sumsByPixel(pixels, perPixel) {
  const sums = Array.from({ length: pixels }, () => new Float64Array(STATE_COUNT));
  const level = levelFor(perPixel * 2);
  data.timeline.rows.forEach((_, row) => {
    const parts = partsOf(row, level);
    for (let x = 0; x < pixels; x++) addTimes(parts, data.run.first + x * perPixel, data.run.first + (x + 1) * perPixel, sums[x]);
  });
  return sums;
}

// What the threads do in the span in view, in words.
let rangeTimer = 0;
function describeRange() {
  clearTimeout(rangeTimer);
  rangeTimer = setTimeout(() => { byId("range").textContent = rangeText(); }, 120);
}
function rangeText() {
  const { sums, events } = timesInView();
  const all = sum(Array.from(sums));
  const order = Array.from(sums.keys()).filter((state) => sums[state] > 0).sort((a, b) => sums[b] - sums[a]);
  const parts = order.slice(0, 6).map((state) => `${data.states[state].title} ${percentText(sums[state], all)}`);
  const from = timeText(place.from - data.run.first), length = timeText(place.to - place.from);
  const critical = criticalText();
  const path = critical === "" ? "" : `; critical path: ${critical}`;
  return `${length} from ${from} on, about ${countText(Math.round(events))} events: ${parts.join(", ")}${path}`;
}
function timesInView(level = levelFor((place.to - place.from) / 2000)) {
  const sums = new Float64Array(STATE_COUNT);
  let events = 0;
  data.timeline.rows.forEach((_, row) => { events += addTimes(partsOf(row, level), place.from, place.to, sums); });
  return { sums, events };
}

// Returns what is at a point of the drawing.
function hit(event) {
  const box = tracks.getBoundingClientRect();
  const scale = scaleOf(tracks);
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const row = Math.floor((y - AXIS + rowsBox.scrollTop) / ROW);
  if (y < AXIS || row < 0 || row >= data.timeline.rows.length) return null;
  const time = scale.time(x);
  const parts = partsOf(row, levelFor(scale.perPixel));
  const part = partAt(parts, time);
  const inside = x >= GUTTER && parts.starts[part] <= time && time < parts.starts[part + 1];
  return { row: data.timeline.rows[row], time, parts, part: inside ? part : null };
}

function partText({ row, parts, part }) {
  const start = parts.starts[part], length = parts.starts[part + 1] - start;
  const when = `${timeText(length)} at ${timeText(start - data.run.first)}`;
  if (parts.paths[part] === MIXED) {
    const times = data.states.map((state, at) => [state.title, parts.times[parts.at[part] + at]]).filter(([, time]) => time > 0);
    times.sort((a, b) => b[1] - a[1]);
    const lines = times.map(([title, time]) => `${title} ${percentText(time, length)}`);
    return `${rowName(row).trim()}: ${countText(parts.events[part])} events in ${when}\n${lines.join("\n")}\nZoom in for more.`;
  }
  const frame = pathFrame(parts.paths[part]);
  return `${rowName(row).trim()}: ${frame.label}\n${placeText(frame)}\n${data.states[frame.state].title}, ${when}`.replace("\n\n", "\n");
}

function selectAt(event) {
  const found = hit(event);
  if (!found) return;
  const thread = found.row.thread;
  const span = found.part === null ? null : [found.parts.starts[found.part], found.parts.starts[found.part + 1]];
  if (found.part === null || found.parts.paths[found.part] === MIXED) {
    describeSelected(found.part === null ? rowName(found.row).trim() : partText(found), null, thread, span);
    go({ thread, path: null, finding: null });
    return;
  }
  const path = found.parts.paths[found.part], frame = pathFrame(path);
  describeSelected(partText(found), path, thread, span);
  go({ thread, path: path === 0 ? null : path, line: frame.file === null ? place.line : placeText(frame), finding: null });
}

// Returns the arrows that begin or end at a thread in a span of time, those with the longest waits first.
function arrowsOf(thread, from, to) {
  return data.arrows.rows.filter(([, a, start, b, end]) => (a === thread && start >= from && start <= to) || (b === thread && end >= from && end <= to));
}
function arrowText([kind, from, , to, , time, bytes]) {
  const size = bytes > 0 ? `, ${bytesText(bytes)}` : "";
  return `${data.arrows.kinds[kind]}: thread ${from} → thread ${to}, ${timeText(time)}${size}`;
}

// Says what was clicked, with links to it in the other sections.
function describeSelected(text, path, thread, span) {
  const box = byId("selected");
  box.replaceChildren(...text.split("\n").filter(Boolean).map((line) => element("div", line)));
  const links = element("div");
  const link = (text, changes, section) => {
    const made = element("a", text);
    made.href = "#";
    made.addEventListener("click", (event) => { event.preventDefault(); go(changes, section); });
    links.append(made);
  };
  if (path !== null && pathFrame(path).file !== null) link("source", { line: placeText(pathFrame(path)) }, "source");
  if (path !== null) link("call path", { path }, "flame");
  link(`load of thread ${thread}`, { thread }, "balance");
  link(`partners of thread ${thread}`, { thread }, "matrix");
  box.append(links);
  // Only as many as can be read.
  for (const arrow of span ? arrowsOf(thread, ...span).slice(0, 5) : []) {
    const line = element("div"), place = arrow[7];
    line.append(arrowText(arrow));
    if (place !== null) {
      const made = element("a", ` ${data.files[place[0]]}:${place[1]}`);
      made.href = "#";
      made.addEventListener("click", (event) => { event.preventDefault(); go({ line: `${data.files[place[0]]}:${place[1]}`, path: null }, "source"); });
      line.append(made);
    }
    box.append(line);
  }
}

function zoom(factor, time = (place.from + place.to) / 2) {
  go(clampRange(time - (time - place.from) * factor, time + (place.to - time) * factor));
}
function pan(part) {
  const by = (place.to - place.from) * part;
  go(clampRange(place.from + by, place.to + by));
}
function showAll() { go({ from: data.run.first, to: Math.max(data.run.last, data.run.first + 1) }); }

// Shows a moment with as much before it and after it.
function showMoment(moment, changes) {
  const around = Math.max(moment.to - moment.from, 50);
  go({ ...clampRange(moment.from - around, moment.to + around), thread: moment.thread, ...changes }, "timeline");
  rowsBox.scrollTop = Math.max(0, rowOfThread(moment.thread) * ROW - 100);
}

function startTimeline() {
  if (!hasTimeline) return;
  stateOfPath = Uint8Array.from(data.paths, (_, path) => stateOf(path));
  fillLegend();
  if (data.arrows.left_out > 0) byId("arrow-note").textContent = `${countText(data.arrows.left_out)} shorter arrows are left out`;
  drawn(() => { overviewSums = null; drawTimeline(); drawOverview(); });
  rowsBox.addEventListener("scroll", drawTimeline);
  for (const name of [...ARROW_NAMES, "critical"]) byId(`show-${name}`).addEventListener("change", drawTimeline);
  byId("zoom-in").addEventListener("click", () => zoom(0.5));
  byId("zoom-out").addEventListener("click", () => zoom(2));
  byId("zoom-all").addEventListener("click", showAll);
  tracks.addEventListener("wheel", onWheel, { passive: false });
  tracks.addEventListener("pointerdown", onPointerDown);
  tracks.addEventListener("mousemove", (event) => {
    const found = hit(event);
    if (found && found.part !== null && event.buttons === 0) showTip(event, partText(found)); else hideTip();
  });
  tracks.addEventListener("mouseleave", hideTip);
  tracks.addEventListener("dblclick", (event) => { const found = hit(event); if (found) zoom(0.25, found.time); });
  overview.addEventListener("pointerdown", onOverview);
  overview.addEventListener("pointermove", (event) => { if (event.buttons === 1) onOverview(event); });
  watch((changed) => {
    if (changed.has("path") || changed.has("line")) litPaths = pathsToLight();
    drawTimeline();
    if (changed.has("from") || changed.has("to")) { drawOverview(); describeRange(); }
  });
  litPaths = pathsToLight();
  describeRange();
}

// Returns for each path whether it is the chosen one or below it, or at the chosen line if no path is chosen.
function pathsToLight() {
  if (place.path !== null) {
    const lit = new Uint8Array(data.paths.length);
    data.paths.forEach(([parent], path) => { lit[path] = path === place.path || (path > 0 && lit[parent]) ? 1 : 0; });
    return lit;
  }
  const line = place.line === null ? null : lineOf(place.line);
  if (line === null) return null;
  return Uint8Array.from(data.paths, (_, path) => { const frame = pathFrame(path); return frame.file === line.file && frame.line === line.line ? 1 : 0; });
}

function onWheel(event) {
  const time = scaleOf(tracks).time(event.clientX - tracks.getBoundingClientRect().left);
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(Math.min(Math.max(1.0025 ** event.deltaY, 0.4), 2.5), time);
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    pan((event.deltaX || event.deltaY) / tracks.clientWidth);
  }
}

// Drag pans, with Shift it marks a span to zoom to; a click selects.
function onPointerDown(event) {
  if (event.button !== 0) return;
  const { from, to } = place, start = event.clientX, left = tracks.getBoundingClientRect().left;
  const perPixel = scaleOf(tracks).perPixel, shift = event.shiftKey;
  let moved = false;
  tracks.setPointerCapture(event.pointerId);
  const move = (now) => {
    moved = moved || Math.abs(now.clientX - start) > 3;
    if (!moved) return;
    if (shift) {
      marking = { x: start - left, now: now.clientX - left };
      drawTimeline();
    } else {
      const by = (start - now.clientX) * perPixel;
      go(clampRange(from + by, to + by));
    }
  };
  const end = (now) => {
    tracks.removeEventListener("pointermove", move);
    if (marking) {
      const scale = scaleOf(tracks), times = [scale.time(marking.x), scale.time(marking.now)].sort((a, b) => a - b);
      marking = null;
      go(clampRange(times[0], times[1]));
    } else if (!moved && now.type === "pointerup") {
      selectAt(now);
    }
  };
  tracks.addEventListener("pointermove", move);
  tracks.addEventListener("pointerup", end, { once: true });
  tracks.addEventListener("pointercancel", end, { once: true });
}

function onOverview(event) {
  const box = overview.getBoundingClientRect();
  const part = (event.clientX - box.left - GUTTER) / Math.max(box.width - GUTTER, 1);
  const time = data.run.first + part * (data.run.last - data.run.first), half = (place.to - place.from) / 2;
  go(clampRange(time - half, time + half));
}
