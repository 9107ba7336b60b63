// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { excerpt, fileLink } from "../code.js";
import { counted, el, number, replace } from "../dom.js";
import { set } from "../state.js";
import { filters, table } from "../table.js";
import { term } from "../terms.js";
import { matches } from "./bugs.js";

export function conditionView({ condition, wanted }) {
  const [before, operand, behind] = condition;
  if (!operand) return el("span", {}, "the branch ", wanted);
  return el("span", {}, el("code", { class: "condition" }, before, el("mark", {}, operand), behind), " ", el("span", { class: "wanted" }, wanted));
}

export function blockersSection(data, sources) {
  const files = [...new Set(data.blockers.map((blocker) => blocker.file))].sort();
  const isFuzzed = data.blockers.some((blocker) => blocker.units);
  const rows = data.blockers.map((blocker, i) => ({ blocker, i }));
  const bar = filters([
    { section: "blocked", key: "file", label: "File", options: [["", "all files"], ...files.map((file) => [file, file.slice(file.lastIndexOf("/") + 1)])] },
    { section: "blocked", key: "find", label: "Search", hint: "function, condition" },
  ]);
  const list = table({
    caption: "Branch sides that were never taken",
    noun: "branch side",
    columns: [
      { key: "place", title: "Branch", value: ({ blocker }) => `${blocker.file}:${String(blocker.line).padStart(8, "0")}`, cell: ({ blocker }) => [fileLink(sources, blocker), el("div", { class: "quiet" }, blocker.function)] },
      { key: "condition", title: "Never happened", class: "wide", cell: ({ blocker, i }) => [conditionView(blocker), el("div", { class: "quiet reason" }, blocker.tried[0] ?? ""), el("button", { type: "button", class: "link", "aria-label": `Show the source of branch ${i + 1}`, on: { click: () => set({ item: i + 1 }, false) } }, "Show")] },
      { key: "behind", title: term("Within reach", "Sides behind"), label: "Sort by sides behind", number: true, value: ({ blocker }) => blocker.behind, cell: ({ blocker }) => number(blocker.behind) },
      { key: "lines", title: "Lines behind", number: true, value: ({ blocker }) => blocker.lines, cell: ({ blocker }) => number(blocker.lines) },
      { key: "reached", title: isFuzzed ? term("Sampling unit", "Units that came here") : "Tests that came here", label: isFuzzed ? "Sort by units that came here" : undefined, number: true, value: ({ blocker }) => blocker.reached || (blocker.runs ?? 0), cell: ({ blocker }) => (blocker.units ? [number(blocker.reached), el("span", { class: "quiet" }, ` of ${number(blocker.units)}`)] : blocker.runs === undefined ? "" : number(blocker.runs)) },
    ],
  });
  const detail = el("div", { class: "detail" });
  detail.hidden = true;
  const intro = el("p", { class: "intro" }, "Executions came to these branches and always went another way. Those with the most uncovered code behind them come first: an input that takes one opens the most.", data.allBlockers > data.blockers.length ? ` ${counted(data.blockers.length, "branch side")} of ${number(data.allBlockers)} are listed.` : "");
  const element = data.blockers.length ? el("div", {}, intro, bar.element, detail, list.element) : el("p", { class: "intro" }, data.noBlockers);

  function show(number) {
    const blocker = data.blockers[number - 1];
    detail.hidden = !blocker;
    if (!blocker) return replace(detail);
    replace(
      detail,
      el("div", { class: "detail-head" }, el("h3", { tabindex: "-1" }, conditionView(blocker)), el("button", { type: "button", class: "small", on: { click: () => set({ item: "" }, false) } }, "Close")),
      el("p", {}, `This has never happened in ${blocker.function}. Behind it, ${counted(blocker.behind, "uncovered branch side")} and ${counted(blocker.lines, "line")} are within reach.`),
      el("h4", {}, "What was tried"),
      el("ul", {}, blocker.tried.map((text) => el("li", {}, text))),
      excerpt(sources, blocker, { around: 8 }),
    );
    detail.querySelector("h3").focus({ preventScroll: true });
    detail.scrollIntoView({ block: "nearest" });
  }

  let shown = null;
  function update(values) {
    if (!data.blockers.length) return;
    bar.update(values);
    list.update(rows.filter(({ blocker }) => (!values.file || blocker.file === values.file) && matches(values.find, blocker.function, blocker.condition.join(""))), values);
    if (shown !== (values.item ?? "")) show(Number((shown = values.item ?? "")));
  }
  return { title: "Blocked", count: data.allBlockers, element, update };
}
