// Findings are in the page as text; here they lead to the places that they speak of.

function chooseFinding(number) {
  const finding = data.findings[number];
  if (finding.moment) showMoment(finding.moment, { finding: number, thread: finding.thread ?? finding.moment.thread, path: null, line: finding.file ? finding.place : null });
  else go({ finding: number, thread: finding.thread, line: finding.file ? finding.place : null }, "source");
}

function nextFinding(by) {
  const shown = data.findings.filter((finding) => finding.is_large).length;
  if (shown === 0) return;
  const now = place.finding ?? (by > 0 ? -1 : 0);
  chooseFinding((now + by + shown) % shown);
}

function startFindings() {
  const actions = {
    "to-line": (number) => go({ finding: number, line: data.findings[number].place, path: null }, "source"),
    "to-thread": (number) => go({ finding: number, thread: data.findings[number].thread }, "balance"),
    "to-moment": chooseFinding,
    "to-array": (number) => {
      const array = data.distribution.arrays.findIndex(({ name }) => name === data.findings[number].array);
      if (array >= 0) go({ finding: number, array }, "distribution");
    },
  };
  byId("findings").addEventListener("click", (event) => {
    const link = event.target.closest("a[data-finding]");
    if (!link) return;
    event.preventDefault();
    actions[link.className](Number(link.dataset.finding));
  });
  byId("findings").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.classList.contains("finding")) chooseFinding(Number(event.target.id.split("-")[1]));
  });
  const mark = () => {
    for (const article of document.querySelectorAll(".finding")) article.classList.toggle("chosen", article.id === `finding-${place.finding}`);
  };
  watch((changed) => { if (changed.has("finding")) mark(); });
  mark();
}
