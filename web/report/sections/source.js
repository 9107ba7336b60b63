// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { codeBlock, codeLine, coverageBar } from "../code.js";
import { counted, el, number, percent, replace } from "../dom.js";
import { filters, table } from "../table.js";
import { term } from "../terms.js";

const kMostHits = 300;

export function sourceSection(data, sources) {
  const files = sources.files;
  const bar = filters([
    { section: "source", key: "find", label: "Search", hint: "text in all files, or a file's name" },
    { section: "source", key: "show", label: "Functions", options: [["", "all"], ["uncovered", "with code not covered"], ["never", "never entered"], ["reported", "with bugs or reports"]] },
  ]);
  const list = table({
    caption: "Source files",
    noun: "file",
    columns: [
      { key: "name", title: "File", isHeader: true, value: (file) => file.name, cell: (file) => [file.text === undefined ? el("span", {}, file.name) : el("a", { href: `#source?file=${file.index + 1}` }, file.name), file.missing ? el("div", { class: "quiet" }, file.missing) : null] },
      { key: "coverage", title: "Lines covered", value: (file) => (file.coded ? file.covered / file.coded : 2), cell: (file) => (file.coded ? coverageBar(file.covered, file.unreachable, file.coded) : el("span", { class: "quiet" }, "nothing known")) },
      { key: "percent", title: "%", number: true, cell: (file) => (file.coded ? ((100 * file.covered) / file.coded).toFixed(1) : "") },
      { key: "left", title: "Lines left", number: true, value: (file) => file.coded - file.covered - file.unreachable, cell: (file) => number(file.coded - file.covered - file.unreachable) },
      { key: "sides", title: "Sides left", number: true, value: (file) => file.sidesAll - file.sidesCovered - file.sidesUnreachable, cell: (file) => (file.sidesAll ? number(file.sidesAll - file.sidesCovered - file.sidesUnreachable) : "") },
      { key: "notes", title: "Reported", number: true, value: (file) => file.notes.size, cell: (file) => (file.notes.size ? number(file.notes.size) : "") },
    ],
    sort: "-left",
  });
  const legend = el("p", { class: "legend" }, el("span", { class: "swatch covered" }, "✓ covered"), el("span", { class: "swatch uncovered" }, "– not covered"), el("span", { class: "swatch unreachable" }, "∅ ", term("Proved unreachable", "proved unreachable")), el("span", {}, "1/2: taken of all ", term("branch side", "branch sides"), " of the line"));
  const view = el("div", { class: "source-view" });
  const element = el("div", {}, bar.element, view);

  const hasText = (file, first, last) => file.lines.slice(first - 1, last).some((line) => line.trim() !== "");

  /** Blocks of a file: functions, and what stands between them. */
  function blocksOf(file) {
    const out = [];
    let at = 1;
    for (const [name, first, last] of file.functions) {
      if (first > at && hasText(file, at, first - 1)) out.push({ name: "", first: at, last: first - 1 });
      out.push({ name, first, last });
      at = last + 1;
    }
    if (at <= file.lines.length && hasText(file, at, file.lines.length)) out.push({ name: "", first: at, last: file.lines.length });
    for (const block of out) {
      block.covered = block.coded = block.unreachable = block.notes = 0;
      for (let line = block.first; line <= block.last; ++line) {
        const state = file.state(line);
        block.coded += state !== "none";
        block.covered += state === "covered";
        block.unreachable += state === "unreachable";
        block.notes += file.notes.has(line);
      }
    }
    return out;
  }

  function isShown(block, values) {
    if (!values.show) return true;
    if (!block.name) return false;
    if (values.show === "uncovered") return block.coded > block.covered + block.unreachable;
    if (values.show === "never") return block.coded > 0 && block.covered === 0;
    return block.notes > 0;
  }

  function openFile(file, values) {
    const wanted = Number(values.line ?? 0);
    const blocks = blocksOf(file).filter((block) => isShown(block, values));
    const details = blocks.map((block) => {
      const content = el("div");
      const head = block.name
        ? [el("span", { class: "function" }, block.name), el("span", { class: "quiet" }, ` lines ${block.first} to ${block.last}`), block.coded ? [coverageBar(block.covered, block.unreachable, block.coded), el("span", { class: "quiet number" }, percent(block.covered, block.coded))] : null, block.notes ? el("span", { class: "badge" }, counted(block.notes, "reported line")) : null]
        : el("span", { class: "quiet" }, `${block.first === block.last ? `line ${block.first}` : `lines ${block.first} to ${block.last}`}, outside of functions`);
      const out = el("details", { class: `function-block${block.name ? "" : " outside"}` }, el("summary", {}, head), content);
      out.block = block;
      out.fill = () => {
        if (!out.open || content.firstChild) return;
        const rows = [];
        for (let line = block.first; line <= block.last; ++line) {
          const row = codeLine(file, line, { here: line === wanted, find: values.find ?? "" });
          row.dataset.line = line;
          rows.push(row);
        }
        replace(content, codeBlock(`${block.name || "lines"} ${block.first} to ${block.last}`, rows));
      };
      out.addEventListener("toggle", out.fill);
      return out;
    });
    const openAll = (isOpen) => details.forEach((d) => ((d.open = isOpen), d.fill()));
    replace(
      view,
      el("div", { class: "detail-head" }, el("h3", { tabindex: "-1", class: "file-name" }, file.name), el("button", { type: "button", class: "small", on: { click: () => openAll(true) } }, "Unfold all"), el("button", { type: "button", class: "small", on: { click: () => openAll(false) } }, "Fold all"), el("a", { href: "#source" }, "All files")),
      el("p", { class: "quiet" }, file.coded ? `${number(file.covered)} of ${counted(file.coded, "line")} with code covered (${percent(file.covered, file.coded)})${file.unreachable ? `, ${number(file.unreachable)} proved unreachable` : ""}.` : "Nothing is known of the coverage of this file."),
      legend,
      details.length ? details : el("p", { class: "quiet" }, "No function fits."),
    );
    const target = wanted ? details.find((d) => d.block.first <= wanted && wanted <= d.block.last) : details.find((d) => d.block.name && d.block.notes) ?? details.find((d) => d.block.name && d.block.covered) ?? details.find((d) => d.block.name);
    if (!target) return;
    target.open = true;
    target.fill();
    if (wanted) target.querySelector(`[data-line="${wanted}"]`)?.scrollIntoView({ block: "center" });
  }

  function search(find) {
    const needle = find.toLowerCase(), hits = [];
    let all = 0;
    for (const file of files)
      for (let i = 0; i < file.lines.length; ++i) {
        if (!file.lines[i].toLowerCase().includes(needle)) continue;
        if (++all <= kMostHits) hits.push([file, i + 1]);
      }
    const byFile = Map.groupBy ? Map.groupBy(hits, ([file]) => file) : hits.reduce((map, hit) => map.set(hit[0], [...(map.get(hit[0]) ?? []), hit]), new Map());
    return [
      el("p", { role: "status", class: "quiet" }, `${counted(all, "line")} with "${find}"${all > kMostHits ? `; the first ${kMostHits} are shown` : ""}`),
      [...byFile].map(([file, lines]) => el("div", { class: "hits" }, el("h3", { class: "file-name" }, file.name), codeBlock(`Lines of ${file.name} with ${find}`, lines.map(([, line]) => el("a", { class: "hit", href: `#source?file=${file.index + 1}&line=${line}`, tabindex: "-1" }, codeLine(file, line, { find, notes: false })))))),
    ];
  }

  let shown = "";
  function update(values) {
    bar.update(values);
    const file = files[Number(values.file ?? 0) - 1];
    const key = JSON.stringify([values.file, values.line, values.show, values.find]);
    if (file && file.text !== undefined) {
      if (shown !== key) openFile(file, values);
    } else {
      if (shown !== key) replace(view, legend, values.find ? search(values.find) : null, list.element);
      list.update(files.filter((f) => !values.find || f.name.toLowerCase().includes(values.find.toLowerCase())), values);
    }
    shown = key;
  }
  return { title: "Source", count: files.length, element, update };
}
