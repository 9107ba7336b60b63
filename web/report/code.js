// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of source with what is known of them.
import { el, number } from "./dom.js";
import { go } from "./state.js";

const marks = {
  covered: { text: "covered", sign: "✓" },
  uncovered: { text: "not covered", sign: "–" },
  unreachable: { text: "proved unreachable", sign: "∅" },
  none: { text: "no code", sign: "" },
};

/** What the page knows of source files, ready to be asked. */
export class Sources {
  constructor(data) {
    this.files = data.files.map((file, i) => new SourceFile(file, i));
    this.byName = new Map(this.files.map((file) => [file.name, file]));
    const { file, line, branch, side, by, units, reason, reasons } = data.sides;
    for (let i = 0; i < file.length; ++i)
      this.files[file[i]].addSide(line[i], { branch: branch[i], side: side[i], by: by[i], units: units[i], reason: reasons[reason[i]] });
    const note = (at, what) => this.byName.get(at.file)?.addNote(at.line, what);
    data.bugs.forEach((bug, i) => note(bug, { section: "bugs", item: i, text: `${bug.kind}: ${bug.message}` }));
    data.reports.forEach((report, i) => note(report, { section: "reports", item: i, text: `${report.verdict} ${report.rule}: ${report.message}`, verdict: report.verdict }));
  }
}

class SourceFile {
  constructor(file, index) {
    this.index = index;
    this.name = file.name;
    this.missing = file.missing;
    this.text = file.text;
    this.functions = file.functions;
    this.states = new Map();
    this.sides = new Map();
    this.notes = new Map();
    this.covered = this.coded = this.unreachable = 0;
    for (let i = 0; i < file.lines.length; i += 2) {
      const value = file.lines[i + 1];
      this.states.set(file.lines[i], value);
      this.coded++;
      if (value > 0) this.covered++;
      if (value < 0) this.unreachable++;
    }
    this.sidesCovered = this.sidesAll = this.sidesUnreachable = 0;
  }
  addSide(line, side) {
    this.sidesAll++;
    if (side.by) this.sidesCovered++;
    else if (side.reason) this.sidesUnreachable++;
    if (!this.sides.has(line)) this.sides.set(line, []);
    this.sides.get(line).push(side);
  }
  addNote(line, note) {
    if (!this.notes.has(line)) this.notes.set(line, []);
    this.notes.get(line).push(note);
  }
  get lines() {
    return (this.split ??= this.text === undefined ? [] : this.text.split("\n"));
  }
  state(line) {
    const value = this.states.get(line);
    return value === undefined ? "none" : value > 0 ? "covered" : value < 0 ? "unreachable" : "uncovered";
  }
  by(line) {
    const value = this.states.get(line) ?? 0;
    return value > 0 ? ["explore", "fuzz"].filter((_, bit) => value & (1 << bit)) : [];
  }
}

/** "1 of 2 sides taken", with the reasons of unreachable ones. */
function sidesText(sides) {
  const taken = sides.filter((side) => side.by).length;
  const dead = sides.filter((side) => !side.by && side.reason).length;
  return `${taken} of ${sides.length} branch sides taken${dead ? `, ${dead} proved unreachable` : ""}`;
}

/** One line. `here`: it is what a step shows; with `column`, a mark under that place. */
export function codeLine(file, line, { here = false, column = 0, notes = true, find = "" } = {}) {
  const state = file.state(line), sides = file.sides.get(line), mine = notes ? file.notes.get(line) : undefined;
  const by = file.by(line);
  const said = `${marks[state].text}${by.length ? ` by ${by.join(" and ")}` : ""}`;
  const text = file.lines[line - 1] ?? "";
  return el(
    "div",
    { class: `line ${state}${here ? " here" : ""}${mine ? " noted" : ""}`, id: here ? null : undefined, "aria-current": here ? "step" : null },
    el("span", { class: "at" }, String(line)),
    el("span", { class: "state", title: said, role: "img", "aria-label": said }, marks[state].sign),
    el("span", { class: `sides${sides ? (sides.every((s) => s.by) ? " all" : sides.some((s) => s.by) ? " some" : " no") : ""}`, title: sides ? sidesText(sides) : null }, sides ? [`${sides.filter((s) => s.by).length}/${sides.length}`, el("span", { class: "offscreen" }, " branch sides taken")] : ""),
    el("code", {}, highlighted(text, here ? column : 0, find), text === "" ? " " : ""),
    mine ? el("span", { class: "notes" }, mine.map((note) => el("button", { type: "button", class: `note ${note.verdict ?? "bug"}`, title: note.text, on: { click: () => go(note.section, { item: String(note.item + 1) }) } }, note.section === "bugs" ? "bug" : note.verdict, el("span", { class: "offscreen" }, `: ${note.text}`)))) : "",
  );
}

/** With the word at a column, or what is searched, marked. */
function highlighted(text, column, find) {
  if (column > 0 && column <= text.length) {
    const word = /^\w+|^[^\w\s]{1,2}|^./.exec(text.slice(column - 1))?.[0] ?? "";
    return [text.slice(0, column - 1), el("mark", {}, word), text.slice(column - 1 + word.length)];
  }
  const at = find ? text.toLowerCase().indexOf(find.toLowerCase()) : -1;
  return at < 0 ? text : [text.slice(0, at), el("mark", {}, text.slice(at, at + find.length)), text.slice(at + find.length)];
}

export function codeBlock(label, ...lines) {
  return el("div", { class: "code", tabindex: "0", role: "region", "aria-label": label }, el("div", { class: "rows" }, lines));
}

/** The lines around a place. */
export function excerpt(sources, at, { around = 6, notes = true } = {}) {
  const file = sources.byName.get(at.file);
  if (!at.file || !at.line) return el("p", { class: "quiet" }, "No place in the source is known.");
  if (!file || file.text === undefined) return el("p", { class: "quiet" }, `The text of ${at.file} is not on this page${file?.missing ? `: ${file.missing}` : ""}.`);
  const first = Math.max(1, at.line - around), last = Math.min(file.lines.length, at.line + around), rows = [];
  for (let line = first; line <= last; ++line) rows.push(codeLine(file, line, { here: line === at.line, column: at.column ?? 0, notes }));
  return codeBlock(`${file.name}, lines ${first} to ${last}`, rows);
}

export function fileLink(sources, at) {
  const file = at.file && sources.byName.get(at.file);
  const text = `${at.file ? at.file.slice(at.file.lastIndexOf("/") + 1) : "?"}${at.line ? `:${at.line}` : ""}`;
  if (!file || file.text === undefined) return el("span", { title: at.file }, text);
  return el("a", { href: `#source?file=${file.index + 1}&line=${at.line}`, title: at.file }, text);
}

export const coverageBar = (covered, unreachable, all) =>
  el("span", { class: "bar", role: "img", "aria-label": `${number(covered)} of ${number(all)} covered, ${number(unreachable)} proved unreachable` }, el("span", { class: "part covered", style: `inline-size:${all ? (100 * covered) / all : 0}%` }), el("span", { class: "part unreachable", style: `inline-size:${all ? (100 * unreachable) / all : 0}%` }));
