// Levels of detail of the timeline: `src/prof/report/timeline.rs` makes them, and says what the numbers mean. A level
// is decoded when it is first drawn.

const MIXED = -1;
const STATE_COUNT = data.states.length;
const levels = new Map();

// Returns the parts of a row at a level: when each starts (and the end of the last one), its path or MIXED, the number
// of events that began, and for mixed ones where their times by state are in `times`.
function partsOf(row, level) {
  const key = row * 64 + level;
  if (!levels.has(key)) levels.set(key, decodeParts(data.timeline.rows[row].levels[level], data.timeline.rows[row].start));
  return levels.get(key);
}

function decodeParts(text, start) {
  const most = text.length / 2 + 2;
  const starts = new Float64Array(most), paths = new Int32Array(most), events = new Float64Array(most), at = new Int32Array(most);
  const times = [];
  let count = 0, now = start;
  eachNumber(text, (next) => {
    const head = next();
    const code = head % 4;
    starts[count] = now;
    if (code < 3) {
      paths[count] = Math.floor(head / 4);
      events[count] = code < 2 ? code : next();
      now += next();
    } else {
      paths[count] = MIXED;
      events[count] = next();
      at[count] = times.length;
      const states = Math.floor(head / 4);
      for (let state = 0; state < STATE_COUNT; state++) {
        const time = states & (1 << state) ? next() : 0;
        times.push(time);
        now += time;
      }
    }
    count++;
  });
  starts[count] = now;
  return { count, starts: starts.slice(0, count + 1), paths: paths.slice(0, count), events: events.slice(0, count), at: at.slice(0, count), times };
}

// Returns the coarsest level whose width a pixel of this many nanoseconds does not show.
function levelFor(nsPerPixel) {
  const { widths } = data.timeline;
  let level = 0;
  while (level + 1 < widths.length && widths[level + 1] <= nsPerPixel) level++;
  return level;
}

// Returns the index of the part at a time, or of the first one if the time is before it.
function partAt(parts, time) {
  let low = 0, high = parts.count;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (parts.starts[middle] <= time) low = middle; else high = middle;
  }
  return low;
}

// Adds the times by state in a span of time to `sums`, and returns the number of events that began. The times of mixed
// parts that reach beyond the span count in proportion.
function addTimes(parts, from, to, sums) {
  let events = 0;
  for (let part = partAt(parts, from); part < parts.count && parts.starts[part] < to; part++) {
    const start = parts.starts[part], end = parts.starts[part + 1];
    const inside = Math.min(end, to) - Math.max(start, from);
    if (inside < 0 || end === start) continue;
    events += parts.events[part] * (inside / (end - start));
    if (parts.paths[part] !== MIXED) {
      sums[stateOf(parts.paths[part])] += inside;
    } else {
      const scale = inside / (end - start);
      for (let state = 0; state < STATE_COUNT; state++) sums[state] += parts.times[parts.at[part] + state] * scale;
    }
  }
  return events;
}
