// Source with costs in the margin.

function fileShown() { return data.sources[Number(byId("source-file").value)]; }

function drawSource() {
  const file = fileShown();
  const box = byId("source-lines");
  if (!file) {
    box.replaceChildren(element("p", "No event of this recording has a place in a source file.", "empty"));
    return;
  }
  const whole = data.run.whole;
  const costs = new Map(file.costs.map((line) => [line.line, line]));
  const name = data.files[file.file];
  const table = element("table");
  const head = element("tr");
  const counted = [...data.counters, ...data.ratios];
  for (const title of ["time", "", "events", "remote", "bytes", ...counted, "line", name]) head.append(element("th", title));
  table.append(head);
  let next = 1;
  const runs = file.text.length > 0 ? file.text : file.costs.map((line) => [line.line, [""]]);
  for (const [first, lines] of runs) {
    if (first > next) {
      const gap = element("td", "⋯", "gap");
      gap.colSpan = 7 + counted.length;
      const row = element("tr");
      row.append(gap);
      table.append(row);
    }
    lines.forEach((text, at) => table.append(sourceRow(name, first + at, text, costs.get(first + at), whole)));
    next = first + lines.length;
  }
  box.replaceChildren(table);
  const time = sum(file.costs.map((line) => sum(line.times)));
  const hidden = file.text.length === 0 ? " Its text is not in this page." : "";
  byId("source-note").textContent = `${percentText(time, whole)} of the thread time is in events of this file.${hidden}`;
  markLine(false);
}

function sourceRow(name, number, text, cost, whole) {
  const row = element("tr");
  row.dataset.line = `${name}:${number}`;
  if (!cost) {
    for (let column = 0; column < 5 + data.counters.length + data.ratios.length; column++) row.append(element("td"));
  } else {
    const time = sum(cost.times);
    row.className = "costs";
    row.append(element("td", percentText(time, whole)), meter(cost.times, whole), element("td", countText(cost.count)),
      element("td", cost.remote > 0 ? countText(cost.remote) : ""), element("td", cost.bytes > 0 ? bytesText(cost.bytes) : ""));
    for (const [at] of data.counters.entries()) row.append(element("td", at < cost.counted.length ? countText(cost.counted[at]) : ""));
    for (const ratio of cost.ratios) row.append(element("td", ratio === null ? "" : ratioText(ratio)));
    row.title = timeText(time);
    row.addEventListener("click", () => go({ line: row.dataset.line, path: null }));
  }
  row.append(element("td", String(number)), element("td", text));
  return row;
}

// The time of a line by state; half of the thread time fills it.
function meter(times, whole) {
  const cell = element("td"), bar = element("div", undefined, "meter");
  times.forEach((time, state) => {
    if (time === 0) return;
    const part = element("span");
    part.style.width = `${Math.min(100, 200 * time / Math.max(whole, 1))}%`;
    part.style.background = `var(--state-${data.states[state].name})`;
    bar.append(part);
  });
  cell.append(bar);
  return cell;
}

// Marks the chosen line. scroll: also shows it.
function markLine(scroll) {
  for (const row of byId("source-lines").querySelectorAll("tr[data-line]")) {
    const chosen = row.dataset.line === place.line;
    row.classList.toggle("chosen", chosen);
    if (chosen && scroll) {
      const box = byId("source-lines");
      box.scrollTop = row.offsetTop - box.clientHeight / 3;
    }
  }
}

function showLine() {
  const line = place.line === null ? null : lineOf(place.line);
  const at = line === null ? -1 : data.sources.findIndex((file) => file.file === line.file);
  if (at >= 0 && Number(byId("source-file").value) !== at) {
    byId("source-file").value = String(at);
    drawSource();
  }
  markLine(true);
}

function startSource() {
  const select = byId("source-file");
  data.sources.forEach((file, at) => select.append(option(at, data.files[file.file])));
  select.addEventListener("change", drawSource);
  watch((changed) => { if (changed.has("line")) showLine(); });
  drawSource();
  showLine();
}
