// Arrays: which thread owns each block, which threads access it, and what another block size would change.

let arrayCounts = [];
let blockSizes = [];
const arrayBox = byId("array-blocks");
const OWNERS = 26, ACCESSES = 20;

function arrayShown() { return data.distribution.arrays[Number(byId("array").value)]; }

// Reads which threads access which parts of an array.
function readArray() {
  const array = arrayShown();
  arrayCounts = [];
  eachNumber(array.accesses, (next) => {
    const thread = next(), parts = [];
    let part = 0;
    for (let left = next(); left > 0; left--) {
      part += next();
      parts.push([part, next()]);
    }
    arrayCounts.push({ thread, parts });
  });
  // The sizes of the slider: powers of two, the declared one, and the one that gives each thread one block.
  const each = Math.ceil(array.elements / data.run.threads);
  const sizes = new Set([array.block, each]);
  for (let size = 1; size < each; size *= 2) sizes.add(size);
  blockSizes = Array.from(sizes).sort((a, b) => a - b);
  const slider = byId("block");
  slider.max = blockSizes.length - 1;
  setBlock(array.block);
}

function setBlock(size) {
  byId("block").value = Math.max(0, blockSizes.indexOf(size));
  drawArray();
}

// Returns the part of the accesses that are local with a block size, as `src/prof/analyze/layout.rs` computes it.
function localWith(array, block) {
  let local = 0, all = 0;
  for (const { thread, parts } of arrayCounts) {
    for (const [part, count] of parts) {
      all += count;
      if (array.width > block) local += count / data.run.threads;
      else if (Math.floor(part * array.width / block) % data.run.threads === thread) local += count;
    }
  }
  return all === 0 ? 0 : local / all;
}

function drawArray() {
  const array = arrayShown();
  if (!array) return;
  const block = blockSizes[Number(byId("block").value)];
  byId("block-value").textContent = block === array.block ? `${block} (declared)` : block;
  const now = localWith(array, block), declared = localWith(array, array.block);
  const change = block === array.block ? "" : ` With the declared ${array.block} it is ${percentText(declared, 1)}.`;
  const hint = data.distribution.has_local ? "" : " Local accesses are not recorded (--inst-local), so these shares are of remote accesses only.";
  byId("array-note").textContent = `${array.declared}: ${countText(array.elements)} elements; with blocks of ${block}, ${percentText(now, 1)} of ${countText(array.local + array.remote)} single accesses are local.${change}${hint}`;
  const width = Math.max(arrayBox.parentElement.clientWidth, 200);
  const shown = arrayCounts.slice(0, 64);
  const pen = prepare(arrayBox, width, AXIS + OWNERS + shown.length * ACCESSES + 6);
  drawOwners(pen, array, block, width);
  shown.forEach((of, row) => drawAccesses(pen, array, block, of, AXIS + OWNERS + row * ACCESSES, width));
  drawElements(pen, array, width);
}

function drawOwners(pen, array, block, width) {
  const pixels = width - GUTTER, perElement = pixels / array.elements;
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.fillStyle = colour("text");
  pen.fillText("owner", 6, AXIS + OWNERS / 2 - 3);
  if (block * perElement < 1) {
    // Blocks narrower than a pixel: all owners in each pixel.
    for (let y = 0; y < OWNERS - 6; y++) {
      pen.fillStyle = threadColour(Math.floor(y * Math.min(data.run.threads, 10) / (OWNERS - 6)));
      pen.fillRect(GUTTER, AXIS + y, pixels, 1);
    }
    return;
  }
  for (let first = 0, owner = 0; first < array.elements; first += block, owner = (owner + 1) % data.run.threads) {
    const length = Math.min(block, array.elements - first) * perElement;
    pen.fillStyle = threadColour(owner);
    pen.fillRect(GUTTER + first * perElement, AXIS, Math.max(length - (length > 4 ? 1 : 0), 1), OWNERS - 6);
    if (length > 18) {
      pen.fillStyle = "#10141a";
      pen.textAlign = "center";
      pen.fillText(owner, GUTTER + first * perElement + length / 2, AXIS + OWNERS / 2 - 3, length);
      pen.textAlign = "start";
    }
  }
}

// Draws which elements a thread accesses; those that it does not own stand out.
function drawAccesses(pen, array, block, { thread, parts }, y, width) {
  const perElement = (width - GUTTER) / array.elements;
  pen.fillStyle = colour("text");
  pen.fillText(`thread ${thread}`, 6, y + ACCESSES / 2 - 1);
  pen.fillStyle = threadColour(thread);
  pen.fillRect(GUTTER - 10, y + 3, 6, ACCESSES - 8);
  pen.fillStyle = colour("track");
  pen.fillRect(GUTTER, y, width - GUTTER, ACCESSES - 4);
  const most = largest(parts.map(([, count]) => count));
  for (const [part, count] of parts) {
    const first = part * array.width;
    const shared = array.width > block;
    const own = !shared && Math.floor(first / block) % data.run.threads === thread;
    pen.fillStyle = shared ? colour("faint") : own ? threadColour(thread) : colour("remote");
    const height = (ACCESSES - 4) * (0.3 + 0.7 * count / most);
    pen.fillRect(GUTTER + first * perElement, y + ACCESSES - 4 - height, Math.max(array.width * perElement, 1), height);
  }
}

function drawElements(pen, array, width) {
  pen.fillStyle = colour("faint");
  const last = countText(array.elements - 1);
  pen.fillText("element 0", GUTTER, AXIS / 2);
  pen.textAlign = "right";
  pen.fillText(last, width - 2, AXIS / 2);
  pen.textAlign = "start";
}

function arrayText(event) {
  const array = arrayShown(), block = blockSizes[Number(byId("block").value)];
  const box = arrayBox.getBoundingClientRect();
  const part = (event.clientX - box.left - GUTTER) / (box.width - GUTTER);
  if (part < 0 || part >= 1) return null;
  const at = Math.floor(part * array.elements);
  const counted = Math.floor(at / array.width);
  const lines = arrayCounts.map(({ thread, parts }) => [thread, parts.find(([part]) => part === counted)]).filter(([, part]) => part);
  const elements = array.width === 1 ? "" : ` to ${counted * array.width + array.width - 1}`;
  const owner = Math.floor(at / block) % data.run.threads;
  return [`${array.name}[${at}]: owner thread ${owner}`, ...lines.slice(0, 12).map(([thread, [, count]]) => `thread ${thread}: ${countText(count)} accesses to elements ${counted * array.width}${elements}`)].join("\n");
}

function startDistribution() {
  if (data.distribution.arrays.length === 0) {
    byId("distribution").hidden = true;
    return;
  }
  const select = byId("array");
  data.distribution.arrays.forEach(({ name, declared }, at) => select.append(option(at, `${name}: ${declared}`)));
  if (data.distribution.left_out > 0) {
    const more = option("", `${data.distribution.left_out} more with fewer remote accesses are left out`);
    more.disabled = true;
    select.append(more);
  }
  select.addEventListener("change", () => { go({ array: Number(select.value) }); });
  byId("block").addEventListener("input", drawArray);
  byId("block-declared").addEventListener("click", () => setBlock(arrayShown().block));
  byId("block-best").addEventListener("click", () => setBlock(arrayShown().best ?? arrayShown().block));
  arrayBox.addEventListener("mousemove", (event) => { const text = arrayText(event); if (text) showTip(event, text); else hideTip(); });
  arrayBox.addEventListener("mouseleave", hideTip);
  const show = () => { select.value = String(place.array ?? 0); readArray(); };
  watch((changed) => { if (changed.has("array")) show(); });
  show();
  drawn(drawArray);
}
