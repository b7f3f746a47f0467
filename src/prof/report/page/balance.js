// Load balance: a bar for each thread, divided by state.

// The page shows this number of threads, unless more are asked for.
const MOST_BARS = 64;
let allBars = false;

function drawBalance() {
  const { times } = data.balance;
  const longest = Math.max(largest(times.map(sum)), 1);
  const order = byId("balance-order").value;
  const state = data.states.findIndex(({ name }) => name === order);
  const threads = Array.from(times.keys());
  if (state >= 0) threads.sort((a, b) => times[b][state] - times[a][state]);
  const shown = allBars ? threads : threads.slice(0, MOST_BARS);
  if (place.thread !== null && !shown.includes(place.thread)) shown.unshift(place.thread);
  const rows = shown.map((thread) => balanceRow(thread, times[thread], longest));
  if (shown.length < threads.length) {
    const more = element("button", `show all ${threads.length} threads`);
    more.addEventListener("click", () => { allBars = true; drawBalance(); });
    rows.push(more);
  }
  byId("balance-bars").replaceChildren(...rows);
}

function balanceRow(thread, times, longest) {
  const row = element("div", undefined, thread === place.thread ? "row chosen" : "row");
  const name = element("button", `thread ${thread}`);
  name.addEventListener("click", () => go({ thread }));
  const parts = element("div", undefined, "parts");
  times.forEach((time, state) => {
    if (time === 0) return;
    const part = element("span");
    part.style.width = `${100 * time / longest}%`;
    part.style.background = `var(--state-${data.states[state].name})`;
    parts.append(part);
  });
  const lines = times.map((time, state) => [time, data.states[state].title]).filter(([time]) => time > 0).sort((a, b) => b[0] - a[0]);
  const all = sum(times);
  const outside = `of user code, ${timeText(data.balance.outside[thread])} outside events`;
  const text = `thread ${thread}: ${timeText(all)}\n${lines.map(([time, title]) => `${title} ${timeText(time)}, ${percentText(time, all)}`).join("\n")}\n${outside}`;
  row.addEventListener("mousemove", (event) => showTip(event, text));
  row.addEventListener("mouseleave", hideTip);
  row.append(name, parts, element("span", timeText(all), "total"));
  return row;
}

// Says how much longer the thread with the most user code computes than the average.
function balanceText() {
  const user = data.balance.times.map((times) => times[0]);
  const most = largest(user), average = sum(user) / Math.max(user.length, 1);
  if (average === 0) return "";
  return `Most user code: thread ${user.indexOf(most)}, ${timeText(most)}, ${percentText(most - average, average)} above the average of ${timeText(average)}.`;
}

function startBalance() {
  byId("balance-order").addEventListener("change", drawBalance);
  byId("balance-note").textContent = balanceText();
  watch((changed) => { if (changed.has("thread")) drawBalance(); });
  drawBalance();
}
