// Starts the page: facts, search, keys, the address.

function describeRun() {
  const { run } = data;
  const events = sum(flameTotals.count);
  byId("facts").textContent = `${run.threads} threads, ${timeText(run.last - run.first)}, ${countText(events)} events`;
}

// What search finds: a text, what it is, and where it leads.
function searchable() {
  const list = [];
  const seen = new Set();
  data.paths.forEach(([, frameAt], path) => {
    const frame = data.frames[frameAt];
    if (path === 0 || frame.file === null || seen.has(frameAt)) return;
    seen.add(frameAt);
    list.push([frame.label, `${placeText(frame)}, call path`, () => go({ path, line: placeText(frame) }, "flame")]);
  });
  for (const file of data.sources) {
    const name = data.files[file.file];
    list.push([name, "source file", () => go({ line: `${name}:${file.costs[0].line}`, path: null }, "source")]);
    for (const [first, lines] of file.text) {
      lines.forEach((text, at) => {
        const line = `${name}:${first + at}`;
        if (text.trim()) list.push([text.trim(), line, () => go({ line, path: null }, "source")]);
      });
    }
  }
  data.distribution.arrays.forEach(({ name, declared }, array) => list.push([name, declared, () => go({ array }, "distribution")]));
  for (let thread = 0; thread < data.run.threads; thread++) list.push([`thread ${thread}`, "load balance", () => go({ thread }, "balance")]);
  data.findings.forEach((finding, at) => list.push([finding.what, `finding ${finding.kind}`, () => chooseFinding(at)]));
  return list;
}

function startSearch() {
  const box = byId("search"), results = byId("results");
  let list = null;
  const close = () => { results.hidden = true; };
  box.addEventListener("input", () => {
    list = list || searchable();
    const wanted = box.value.trim().toLowerCase();
    const found = wanted ? list.filter(([text, what]) => text.toLowerCase().includes(wanted) || what.toLowerCase().includes(wanted)) : [];
    results.replaceChildren(...found.slice(0, 40).map(([text, what, action]) => {
      const button = element("button", text);
      button.append(element("span", what));
      button.addEventListener("click", () => { close(); action(); });
      return button;
    }));
    if (wanted && found.length === 0) results.append(element("button", "nothing found"));
    if (found.length > 40) results.append(element("button", `and ${found.length - 40} more`));
    results.hidden = !wanted;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") results.querySelector("button")?.click();
    if (event.key === "ArrowDown") { event.preventDefault(); results.querySelector("button")?.focus(); }
    if (event.key === "Escape") { close(); box.blur(); }
  });
  results.addEventListener("keydown", (event) => {
    const move = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (move) { event.preventDefault(); (document.activeElement[move] || box).focus(); }
    if (event.key === "Escape") { close(); box.focus(); }
  });
  document.addEventListener("click", (event) => { if (!event.target.closest("#results, #search")) close(); });
}

const KEYS = {
  w: () => zoom(0.5), s: () => zoom(2), a: () => pan(-0.25), d: () => pan(0.25), 0: showAll,
  n: () => nextFinding(1), p: () => nextFinding(-1),
  "/": () => { byId("search").focus(); byId("search").select(); },
  "?": () => byId("help").showModal(),
  Escape: () => go({ path: null, line: null, finding: null, thread: null }),
};
function onKey(event) {
  const typing = event.target.closest("input[type=search], select, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

Object.assign(place, readAddress());
startFindings();
startTimeline();
startFlame();
describeRun();
startBalance();
startMatrix();
startSource();
startDistribution();
startSearch();
redrawAll();
byId("help-button").addEventListener("click", () => byId("help").showModal());
document.addEventListener("keydown", onKey);
addEventListener("resize", atNextFrame(redrawAll));
addEventListener("beforeprint", redrawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
addEventListener("hashchange", () => { if (location.hash !== ownAddress) go(readAddress()); });
