// The place that the page shows: a span of time, a thread, a line, a path, an array. Every section shows what of it
// concerns the section, and leads to others by `go`. It is in the address of the page, so that it can be passed on:
// #t=0.0120,0.0135&thread=3&line=heat.upc:14

const place = { from: data.run.first, to: Math.max(data.run.last, data.run.first + 1), thread: null, line: null, path: null, array: null, finding: null };
const watchers = [];

// Registers a function that is called with the names of what has changed.
function watch(watcher) { watchers.push(watcher); }

// Changes the place. section: the section to scroll to.
function go(changes, section) {
  const changed = Object.keys(changes).filter((name) => place[name] !== changes[name]);
  Object.assign(place, changes);
  if (section) {
    byId(section).scrollIntoView({ behavior: reducedMotion ? "auto" : "smooth", block: "start" });
  }
  if (changed.length > 0) watchers.forEach((watcher) => watcher(new Set(changed)));
  writeAddress();
}
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.webdriver;

let addressTimer = 0;
let ownAddress = location.hash;
// Browsers limit how often the address may change.
function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const words = new URLSearchParams();
    const whole = place.from <= data.run.first && place.to >= data.run.last;
    if (!whole) words.set("t", `${(place.from / 1e9).toFixed(9)},${(place.to / 1e9).toFixed(9)}`);
    for (const name of ["thread", "line", "path", "array", "finding"]) {
      if (place[name] !== null) words.set(name, place[name]);
    }
    ownAddress = words.size > 0 ? `#${words}` : "#";
    history.replaceState(null, "", ownAddress);
  }, 150);
}

// Reads the address. Unknown words and numbers that do not fit are ignored.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const changes = {};
  const times = (words.get("t") || "").split(",").map((text) => parseFloat(text) * 1e9);
  if (Number.isFinite(times[0])) {
    const to = Number.isFinite(times[1]) && times[1] > times[0] ? times[1] : times[0] + (data.run.last - data.run.first) / 50;
    Object.assign(changes, clampRange(times[0], to));
  }
  const number = (name, below) => {
    const value = Number.parseInt(words.get(name), 10);
    if (value >= 0 && value < below) changes[name] = value;
  };
  number("thread", data.run.threads);
  number("path", data.paths.length);
  number("array", data.distribution.arrays.length);
  number("finding", data.findings.length);
  if (words.has("line")) changes.line = words.get("line");
  return changes;
}

// Keeps a span of time inside of the run.
function clampRange(from, to) {
  const { first, last } = data.run;
  const length = Math.min(Math.max(to - from, 20), Math.max(last - first, 20));
  const start = Math.min(Math.max(from, first), Math.max(first, last - length));
  return { from: start, to: start + length };
}

// Returns the file and the line of "file:line".
function lineOf(text) {
  const colon = text.lastIndexOf(":");
  const file = data.files.indexOf(text.slice(0, colon));
  return file < 0 ? null : { file, line: Number.parseInt(text.slice(colon + 1), 10) };
}
