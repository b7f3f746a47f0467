// What drawings share: canvases as sharp as the screen, colours of the style sheet, the note at the pointer.

// Makes a canvas as large as it is shown; returns what draws on it, in CSS pixels.
function prepare(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

let colours = null;
// Returns a colour of the style sheet: `--NAME`.
function colour(name) {
  if (colours === null) colours = new Map();
  if (!colours.has(name)) {
    colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  }
  return colours.get(name);
}
function stateColour(state) { return colour(`state-${data.states[state].name}`); }

const redraws = [];
// Registers a function that draws again when the size of the window or the colours change.
function drawn(draw) { redraws.push(draw); }
function redrawAll() { colours = null; redraws.forEach((draw) => draw()); }

// Returns a function that draws at the next frame, once.
function atNextFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
}

// A colour for each of any number of threads: neighbours differ.
function threadColour(thread, alpha = 1) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return `hsl(${(thread * 137.5) % 360} ${dark ? 45 : 55}% ${dark ? 52 : 60}% / ${alpha})`;
}

function showTip(event, text) {
  const tip = byId("tip");
  tip.textContent = text;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  const below = event.clientY + 18;
  tip.style.top = `${below + height > innerHeight ? event.clientY - height - 10 : below}px`;
}
function hideTip() { byId("tip").hidden = true; }

function fillLegend() {
  const used = new Set(data.frames.filter((frame) => frame.file !== null).map((frame) => frame.state)).add(0);
  data.states.forEach((state, at) => {
    if (!used.has(at)) return;
    const item = element("span");
    const box = element("i");
    box.style.background = `var(--state-${state.name})`;
    item.append(box, state.title);
    byId("legend").append(item);
  });
}
