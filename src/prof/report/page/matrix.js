// The thread-to-thread matrix: a row for each thread, a column for each thread whose memory or locks it uses.

const LABEL = 46;
const matrixCells = [];
const matrixBox = byId("matrix-cells");
let matrixShown = null;

function readMatrix() {
  eachNumber(data.matrix.cells, (next) => {
    const [thread, peer, state, count, bytes, time] = [next(), next(), next(), next(), next(), next()];
    matrixCells.push({ thread, peer, state, count, bytes, time });
  });
}

const MATRIX_TEXTS = { count: countText, bytes: bytesText, time: timeText };

function drawMatrix() {
  const value = byId("matrix-value").value, state = byId("matrix-state").value, own = byId("matrix-own").checked;
  const sums = new Map();
  for (const cell of matrixCells) {
    if ((state !== "" && cell.state !== Number(state)) || (!own && cell.thread === cell.peer)) continue;
    const key = cell.thread * data.run.threads + cell.peer;
    sums.set(key, (sums.get(key) || 0) + cell[value]);
  }
  const threads = data.run.threads;
  const width = Math.max(matrixBox.parentElement.clientWidth - LABEL - 20, 120);
  const size = Math.max(3, Math.min(30, Math.floor(Math.min(width, 640) / Math.max(threads, 1))));
  const length = LABEL + size * threads + 2;
  const pen = prepare(matrixBox, length, length);
  matrixBox.style.width = `${length}px`;
  const most = largest(Array.from(sums.values()));
  matrixShown = { sums, size, value };
  pen.fillStyle = colour("track");
  pen.fillRect(LABEL, LABEL, size * threads, size * threads);
  pen.fillStyle = colour("accent");
  for (const [key, number] of sums) {
    if (number === 0) continue;
    // The root makes small values visible beside large ones.
    pen.globalAlpha = 0.08 + 0.92 * Math.sqrt(number / most);
    pen.fillRect(LABEL + (key % threads) * size, LABEL + Math.floor(key / threads) * size, size - (size > 6 ? 1 : 0), size - (size > 6 ? 1 : 0));
  }
  pen.globalAlpha = 1;
  drawMatrixLabels(pen, threads, size, length);
  const all = sum(Array.from(sums.values()));
  byId("matrix-note").textContent = sums.size === 0 ? "no such events" : `${MATRIX_TEXTS[value](all)} in all, at most ${MATRIX_TEXTS[value](most)} between two threads. Rows use the memory or locks of columns.`;
}

function drawMatrixLabels(pen, threads, size, length) {
  pen.fillStyle = colour("faint");
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256].find((step) => step * size >= 20) || 512;
  for (let thread = 0; thread < threads; thread += step) {
    const middle = LABEL + thread * size + size / 2;
    pen.textAlign = "right";
    pen.fillText(thread, LABEL - 5, middle);
    pen.textAlign = "center";
    pen.fillText(thread, middle, LABEL - 9);
  }
  pen.textAlign = "left";
  pen.fillText("owner →", LABEL, 10);
  pen.textAlign = "start";
  if (place.thread === null) return;
  pen.strokeStyle = colour("text");
  pen.strokeRect(LABEL - 0.5, LABEL + place.thread * size - 0.5, length - LABEL - 2, size);
  pen.strokeRect(LABEL + place.thread * size - 0.5, LABEL - 0.5, size, length - LABEL - 2);
}

function matrixAt(event) {
  const box = matrixBox.getBoundingClientRect();
  const peer = Math.floor((event.clientX - box.left - LABEL) / matrixShown.size);
  const thread = Math.floor((event.clientY - box.top - LABEL) / matrixShown.size);
  const inside = (at) => at >= 0 && at < data.run.threads;
  return inside(peer) && inside(thread) ? { thread, peer } : null;
}

function matrixText({ thread, peer }) {
  const cells = matrixCells.filter((cell) => cell.thread === thread && cell.peer === peer);
  const lines = cells.map((cell) => `${data.states[cell.state].title}: ${countText(cell.count)} events, ${bytesText(cell.bytes)}, ${timeText(cell.time)}`);
  return [`thread ${thread} uses thread ${peer}`, ...(lines.length > 0 ? lines : ["nothing"])].join("\n");
}

function startMatrix() {
  readMatrix();
  const select = byId("matrix-state");
  select.append(option("", "all kinds"));
  const used = new Set(matrixCells.map((cell) => cell.state));
  data.states.forEach(({ title }, state) => { if (used.has(state)) select.append(option(state, title)); });
  for (const id of ["matrix-value", "matrix-state", "matrix-own"]) byId(id).addEventListener("change", drawMatrix);
  matrixBox.addEventListener("mousemove", (event) => {
    const at = matrixAt(event);
    if (at) showTip(event, matrixText(at)); else hideTip();
  });
  matrixBox.addEventListener("mouseleave", hideTip);
  matrixBox.addEventListener("click", (event) => { const at = matrixAt(event); if (at) go({ thread: at.thread }); });
  watch((changed) => { if (changed.has("thread")) drawMatrix(); });
  drawn(drawMatrix);
}
