// The flame graph: functions and events by call path, as wide as their time; outermost at the top.

const FLAME_ROW = 22;
// Frames narrower than this part of the graph are not drawn.
const NARROWEST = 0.0012;
const flameTotals = { own: [], count: [], bytes: [], children: data.paths.map(() => []) };
const flameThreads = [];
let flameFound = null;
// The times of older recordings; null: there are none.
let flameBefore = null;

function readFlame() {
  const { own, count, bytes, children } = flameTotals;
  data.paths.forEach(([parent], path) => {
    own.push(0); count.push(0); bytes.push(0);
    if (path > 0) children[parent].push(path);
  });
  eachNumber(data.flame.all, (next) => {
    const path = next();
    own[path] = next(); count[path] = next(); bytes[path] = next();
  });
  if (data.difference === null) return;
  const before = data.paths.map(() => 0);
  eachNumber(data.difference.before, (next) => { const path = next(); before[path] = next(); });
  flameBefore = { own: before, total: totals(before) };
}

// Returns whether frames have the colour of their change since older recordings, which have no times of each thread.
function showsChange() {
  return flameBefore !== null && byId("flame-colour").value === "change" && byId("flame-thread").value === "";
}

// Returns by how much a path takes longer than before, from -1 (it took time only before) to 1 (it is new).
function flameChange(path, total) {
  const before = flameBefore.total[path] + (path === 0 ? data.difference.gone : 0);
  return (total[path] - before) / Math.max(total[path], before, 1);
}

function changeText(path, total) {
  const before = flameBefore.total[path] + (path === 0 ? data.difference.gone : 0), change = total[path] - before;
  return `\nbefore ${timeText(before)}, ${change < 0 ? "" : "+"}${timeText(change)} (own ${timeText(flameBefore.own[path])})`;
}

// Returns the own time of each path, of all threads or of one.
function ownTimes(thread) {
  if (thread === null) return flameTotals.own;
  if (!flameThreads[thread]) {
    const own = data.paths.map(() => 0);
    eachNumber(data.flame.threads[thread], (next) => { const path = next(); own[path] = next(); });
    flameThreads[thread] = own;
  }
  return flameThreads[thread];
}

// Adds to each path the times of those below it. A path comes after its parent.
function totals(own) {
  const total = own.slice();
  for (let path = total.length - 1; path > 0; path--) total[pathParent(path)] += total[path];
  return total;
}

function drawFlame() {
  const graph = byId("flame-graph");
  const chosen = byId("flame-thread").value;
  const thread = chosen === "" ? null : Number(chosen);
  const own = ownTimes(thread), total = totals(own);
  const root = place.path !== null && total[place.path] > 0 ? place.path : 0;
  const boxes = [];
  let depth = 0;
  for (let path = pathParent(root), up = root; up !== 0; up = path, path = pathParent(path)) depth++;
  let outer = root;
  for (let level = depth; level > 0; level--) {
    outer = pathParent(outer);
    boxes.push({ path: outer, x: 0, width: 1, level: level - 1, faded: true });
  }
  let deepest = depth;
  const add = (path, x, width, level) => {
    deepest = Math.max(deepest, level);
    boxes.push({ path, x, width, level });
    let at = x;
    const inside = flameTotals.children[path].filter((child) => total[child] > 0).sort((a, b) => total[b] - total[a]);
    for (const child of inside) {
      const part = width * total[child] / total[path];
      if (part >= NARROWEST) add(child, at, part, level + 1);
      at += part;
    }
  };
  if (total[root] > 0) add(root, 0, 1, depth);
  graph.style.height = `${(deepest + 1) * FLAME_ROW}px`;
  graph.replaceChildren(...boxes.map((box) => flameBox(box, own, total)));
  const whole = total[0];
  byId("flame-note").textContent = root === 0 ? `${timeText(whole)} of thread time. The space below a frame that others do not fill is its own time.`
    : `${pathFrame(root).label}: ${timeText(total[root])}, ${percentText(total[root], whole)} of the thread time`;
}

function flameBox({ path, x, width, level, faded }, own, total) {
  const frame = pathFrame(path);
  const name = path === 0 ? data.run.program : frame.label;
  const box = element("button", width > 0.012 ? name : "");
  const lost = flameFound !== null && !flameFound.has(path);
  box.className = faded || lost ? "faded" : "";
  box.style.cssText = `left:${100 * x}%;width:${100 * width}%;top:${level * FLAME_ROW}px;background:${flameColour(path, total)}`;
  if (path === 0) box.style.color = "var(--text)";
  box.dataset.path = path;
  box.setAttribute("aria-label", `${name}, ${timeText(total[path])}`);
  const text = `${name}\n${placeText(frame)}\n${timeText(total[path])} (${percentText(total[path], total[0])}), own ${timeText(own[path])}\n${countText(flameTotals.count[path])} events, ${bytesText(flameTotals.bytes[path])}`.replace("\n\n", "\n");
  const change = showsChange() ? changeText(path, total) : "";
  box.addEventListener("mousemove", (event) => showTip(event, (path === 0 ? `${name}\n${timeText(total[0])}, outside events ${timeText(own[0])}` : text) + change));
  box.addEventListener("mouseleave", hideTip);
  box.addEventListener("click", () => { hideTip(); go({ path: path === 0 ? null : path, line: frame.file === null ? place.line : placeText(frame) }); });
  return box;
}

// Frames have the colour of their state; user code varies so that neighbours differ.
function flameColour(path, total) {
  if (showsChange()) {
    const change = flameChange(path, total);
    return `color-mix(in srgb, var(--${change < 0 ? "faster" : "slower"}) ${Math.round(100 * Math.abs(change))}%, var(--track))`;
  }
  const { state } = pathFrame(path);
  if (path === 0) return "var(--track)";
  return state === 0 ? `color-mix(in srgb, var(--state-user) ${70 + (data.paths[path][1] * 37) % 30}%, var(--state-memory))` : `color-mix(in srgb, var(--state-${data.states[state].name}) 80%, white)`;
}

function startFlame() {
  readFlame();
  const select = byId("flame-thread");
  select.append(option("", "all together"));
  data.flame.threads.forEach((_, thread) => select.append(option(thread, `thread ${thread}`)));
  select.addEventListener("change", drawFlame);
  if (flameBefore !== null) byId("flame-colour").addEventListener("change", drawFlame);
  byId("flame-reset").addEventListener("click", () => { select.value = ""; go({ path: null }); drawFlame(); });
  watch((changed) => { if (changed.has("path")) drawFlame(); });
  drawFlame();
}
