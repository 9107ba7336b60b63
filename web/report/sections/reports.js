// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { excerpt, fileLink } from "../code.js";
import { counted, el, placeText, replace } from "../dom.js";
import { set } from "../state.js";
import { stepper } from "../stepper.js";
import { filters, table } from "../table.js";
import { term } from "../terms.js";
import { cweLink, matches } from "./bugs.js";

export const verdicts = ["confirmed", "possible", "open", "bounded", "refuted", "unchecked"];

export function reportsSection(data, sources) {
  const counts = new Map(verdicts.map((verdict) => [verdict, 0]));
  for (const report of data.reports) counts.set(report.verdict, (counts.get(report.verdict) ?? 0) + 1);
  const rules = [...new Set(data.reports.map((report) => report.rule))].sort();
  const files = [...new Set(data.reports.map((report) => report.file).filter(Boolean))].sort();
  const rows = data.reports.map((report, i) => ({ report, i }));
  const bar = filters([
    { section: "reports", key: "verdict", label: "Verdict", options: [["", `all verdicts (${data.reports.length})`], ...[...counts].filter((c) => c[1]).map(([verdict, count]) => [verdict, `${verdict} (${count})`])] },
    { section: "reports", key: "rule", label: "Rule", options: [["", "all rules"], ...rules.map((rule) => [rule, rule])] },
    { section: "reports", key: "file", label: "File", options: [["", "all files"], ...files.map((file) => [file, file.slice(file.lastIndexOf("/") + 1)])] },
    { section: "reports", key: "find", label: "Search", hint: "message, reason, function" },
  ]);
  const list = table({
    caption: "Reports",
    noun: "report",
    sort: "verdict",
    rowProps: ({ i }) => ({ class: "clickable", data: { item: i + 1 } }),
    columns: [
      { key: "verdict", title: "Verdict", value: ({ report }) => verdicts.indexOf(report.verdict), cell: ({ report }) => el("span", { class: `verdict ${report.verdict}` }, report.verdict) },
      { key: "rule", title: "Rule", value: ({ report }) => report.rule ?? "", cell: ({ report }) => report.rule ?? "" },
      { key: "place", title: "Place", value: ({ report }) => `${report.file ?? ""}:${String(report.line ?? 0).padStart(8, "0")}`, cell: ({ report }) => fileLink(sources, report) },
      { key: "what", title: "What it says, and why it has this verdict", class: "wide", cell: ({ report, i }) => [el("button", { type: "button", class: "link", on: { click: () => set({ item: i + 1 }, false) } }, report.message || "(no message)"), report.reason ? el("div", { class: "quiet reason" }, report.reason) : null] },
    ],
  });
  const chips = el("ul", { class: "chips" }, [...counts].filter((c) => c[1]).map(([verdict, count]) => el("li", {}, term(verdict, el("span", { class: `verdict ${verdict}` }, verdict)), el("button", { type: "button", class: "small", "aria-label": `Show the ${count} ${verdict} reports`, on: { click: () => set({ verdict, page: "", item: "" }, false) } }, counted(count, "report")))));
  const detail = el("div", { class: "detail" });
  const element = el("div", {}, el("p", { class: "intro" }, "What an analyser says may be wrong: each ", term("report"), " with its verdict and the reason for it."), chips, bar.element, detail, list.element);

  function facts(report) {
    const entry = (name, text) => (text ? [el("dt", {}, name), el("dd", {}, text)] : []);
    return el(
      "dl",
      { class: "facts-list" },
      entry("Reason", report.reason),
      entry("Open because", report.openBecause),
      entry("What would settle it", report.settledBy),
      entry("Shown from", report.from),
      entry("Assumed", report.assumed),
      entry("Certainty", report.certainty),
      entry("Reproduced in", report.reproducer),
      entry("Analyser", report.tool),
      report.bug === undefined ? [] : [el("dt", {}, "Executed as"), el("dd", {}, el("a", { href: `#bugs?item=${report.bug + 1}` }, `bug ${report.bug + 1}`))],
    );
  }

  function show(number) {
    const report = data.reports[number - 1];
    detail.hidden = !report;
    if (!report) return replace(detail);
    const close = el("button", { type: "button", class: "small", on: { click: () => set({ item: "" }, false) } }, "Close");
    replace(
      detail,
      el("div", { class: "detail-head" }, el("h3", { tabindex: "-1" }, el("span", { class: `verdict ${report.verdict}` }, report.verdict), " ", report.rule, " at ", placeText(report)), close),
      el("p", {}, report.message, " ", cweLink(report.cwe)),
      facts(report),
      stepper(sources, report.flows) ?? excerpt(sources, report),
    );
    detail.querySelector("h3").focus({ preventScroll: true });
    detail.scrollIntoView({ block: "nearest" });
  }

  let shown = null;
  function update(values) {
    bar.update(values);
    list.update(rows.filter(({ report }) => (!values.verdict || report.verdict === values.verdict) && (!values.rule || report.rule === values.rule) && (!values.file || report.file === values.file) && matches(values.find, report.message, report.reason, report.function, report.file)), values);
    if (shown !== (values.item ?? "")) show(Number((shown = values.item ?? "")));
  }
  detail.hidden = true;
  return { title: "Reports", count: data.reports.length, element, update };
}
