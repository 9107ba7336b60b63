// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulation curve with Chart.js. Only what it needs is imported, so that the rest stays out of
// the page.
import { Chart, Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip } from "chart.js";
import { duration, el, number } from "./dom.js";

Chart.register(Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const names = { explore: "explored", fuzz: "fuzzed", run: "all together" };

const words = { explore: "exploring", fuzz: "fuzzing", seeds: "seeds", scan: "scan", confirm: "confirming" };

const points = (x, y) => x.map((value, i) => ({ x: value, y: y[i] }));

/** One of the pictures: { element, draw() }; draw() takes the colours of the theme. */
export function curveChart(data) {
  const { series, estimate, covered, total, unreachable } = data.curve;
  const timed = data.events.filter((event) => event.sides !== undefined);
  const lines = timed.length ? [{ by: "run", x: [0, ...timed.map((e) => e.seconds)], y: [0, ...timed.map((e) => e.sides)], folder: "" }] : series;
  if (!lines.length) return null;
  const end = Math.max(...lines.map((line) => line.x.at(-1) ?? 0)) || 1;
  const span = estimate && !timed.length ? Math.max(end, estimate.x.at(-1) ?? 0) : end;
  const most = total - unreachable;
  const canvas = el("canvas", { role: "img", "aria-label": `Branch sides covered over time: ${number(covered)} after ${duration(end)}, of at most ${number(most)}` });
  const element = el("div", { class: "chart" }, canvas);
  let chart = null;

  function draw() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const flat = (y) => [{ x: 0, y }, { x: span, y }];
    const line = (label, list, name, more = {}) => ({ label, data: list, borderColor: colour(name), backgroundColor: colour(name), borderWidth: 2, pointRadius: 0, pointHitRadius: 12, ...more });
    const sets = [];
    const palette = ["chart-1", "chart-2", "chart-3", "chart-4"];
    lines.forEach((one, i) => sets.push(line(`${names[one.by] ?? one.by}${lines.filter((l) => l.by === one.by).length > 1 ? ` (${one.folder})` : ""}`, points(one.x, one.y), palette[i % palette.length], { stepped: "before" })));
    // Whose inputs covered more.
    [...new Set(timed.map((event) => event.by))].forEach((by, i) => sets.push(line(words[by] ?? by, timed.filter((event) => event.by === by).map((event) => ({ x: event.seconds, y: event.sides })), palette[(i + 1) % palette.length], { showLine: false, pointRadius: 3.5, borderWidth: 0 })));
    if (estimate && !timed.length && estimate.x.length) {
      sets.push(line("expected of fuzzing", points(estimate.x, estimate.band), "chart-band-line", { borderDash: [6, 4], borderWidth: 1.5 }));
      sets.push(line("band above", points(estimate.x, estimate.bandHigh), "chart-band", { borderWidth: 0, fill: "+1", backgroundColor: colour("chart-band"), hidden: false }));
      sets.push(line("band below", points(estimate.x, estimate.bandLow), "chart-band", { borderWidth: 0 }));
    }
    if (estimate) sets.push(line("estimate", flat(estimate.value), "chart-estimate", { borderDash: [2, 3], borderWidth: 1.5 }));
    if (most > 0) sets.push(line("upper bound", flat(most), "chart-bound", { borderWidth: 1 }));
    chart?.destroy();
    const grid = { color: colour("line"), drawTicks: false };
    const font = { family: style.getPropertyValue("--sans"), size: 12 };
    Chart.defaults.color = colour("quiet");
    chart = new Chart(canvas, {
      type: "line",
      data: { datasets: sets },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        parsing: false,
        normalized: true,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: {
          x: { type: "linear", min: 0, max: span, grid, ticks: { font, maxRotation: 0, callback: (value) => (span >= 7200 ? `${number(value / 3600)} h` : span >= 180 ? `${number(value / 60)} min` : `${number(value)} s`) } },
          y: { beginAtZero: true, grid, ticks: { font, callback: (value) => number(value) }, title: { display: true, text: "branch sides", font } },
        },
        plugins: {
          legend: { position: "bottom", labels: { font, boxWidth: 24, boxHeight: 1, filter: (item) => !item.text.startsWith("band") } },
          tooltip: { filter: (item) => !item.dataset.label.startsWith("band"), callbacks: { title: (items) => (items.length ? `after ${duration(items[0].parsed.x)}` : ""), label: (item) => `${item.dataset.label}: ${number(item.parsed.y)}` } },
        },
      },
    });
  }

  /** The same numbers for those who do not see the picture. */
  function asTable() {
    const rows = [];
    for (const one of lines)
      for (let i = 0; i <= 10; ++i) {
        const at = (end * i) / 10;
        let y = 0;
        for (let k = 0; k < one.x.length && one.x[k] <= at; ++k) y = one.y[k];
        rows.push([names[one.by] ?? one.by, duration(at), number(y)]);
      }
    return el("details", {}, el("summary", {}, "The same as a table"), el("table", { class: "plain" }, el("thead", {}, el("tr", {}, ["By", "After", "Sides covered"].map((t, i) => el("th", { scope: "col", class: i ? "number" : "" }, t)))), el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell, i) => el("td", { class: i ? "number" : "" }, cell)))))));
  }

  return { element, draw, asTable };
}
