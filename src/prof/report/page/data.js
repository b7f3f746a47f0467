"use strict";
// The data of the page, and how numbers are read and written.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Returns the bytes of a text in base64.
function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

// Calls `take` with a function that returns the next number of a list, for as long as there are numbers.
function eachNumber(text, take) {
  const bytes = bytesOf(text);
  let at = 0;
  const next = () => {
    let number = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      number += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return number;
  };
  while (at < bytes.length) take(next);
}

function pathFrame(path) { return data.frames[data.paths[path][1]]; }
function pathParent(path) { return data.paths[path][0]; }
function stateOf(path) { return pathFrame(path).state; }
function placeText(frame) {
  return frame.file === null ? "" : `${data.files[frame.file]}:${frame.line}`;
}

const TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
function timeText(ns, digits = 3) {
  const [scale, unit] = TIMES.find(([scale]) => Math.abs(ns) >= scale) || TIMES[3];
  return `${scale === 1 ? Math.round(ns) : (ns / scale).toFixed(digits)} ${unit}`;
}
const SIZES = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
function bytesText(bytes) {
  const size = SIZES.find(([scale]) => bytes >= scale);
  return size ? `${(bytes / size[0]).toFixed(1)} ${size[1]}` : `${bytes} bytes`;
}
function countText(count) { return count.toLocaleString("en"); }
function ratioText(ratio) { return ratio === 0 ? "0" : ratio.toPrecision(3); }
function percentText(part, whole) { return `${(100 * part / Math.max(whole, 1)).toFixed(1)} %`; }
// Lists may be longer than what Math.max takes as arguments.
function largest(numbers) { return numbers.reduce((a, b) => Math.max(a, b), 0); }
function sum(numbers) { return numbers.reduce((a, b) => a + b, 0); }

// Makes an element with text; texts of the recording never become HTML.
function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
function option(value, text) {
  const made = element("option", text);
  made.value = value;
  return made;
}
