// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger, who found what when, the tests, and what the page is made of.
import { counted, duration, el, number } from "../dom.js";
import { filters, table } from "../table.js";
import { term } from "../terms.js";
import { matches } from "./bugs.js";

export function ledgerSection(data, sources) {
  const { entries, complete } = data.ledger;
  const categories = [...new Set(entries.map((entry) => entry.category))].sort();
  const bar = filters([
    { section: "ledger", key: "category", label: "Category", options: [["", "all"], ...categories.map((c) => [c, c])] },
    { section: "ledger", key: "find", label: "Search", hint: "place, detail" },
  ]);
  const place = (text) => {
    const [, file, line, rest] = /^(.*):(\d+)( .*)?$/.exec(text ?? "") ?? [];
    const known = file && sources.byName.get(file);
    return known && known.text !== undefined ? [el("a", { href: `#source?file=${known.index + 1}&line=${line}`, title: file }, `${file.slice(file.lastIndexOf("/") + 1)}:${line}`), rest ?? ""] : (text ?? "the whole run");
  };
  const list = table({
    caption: "Ledger",
    noun: "entry",
    sort: "-count",
    columns: [
      { key: "sentence", title: "What happened", class: "wide", value: (entry) => entry.category, cell: (entry) => [el("span", {}, capital(entry.sentence ?? entry.category)), ".", el("div", { class: "quiet" }, el("code", {}, entry.category), entry.detail ? `: ${entry.detail}` : "")] },
      { key: "place", title: "Where", value: (entry) => entry.location ?? "", cell: (entry) => place(entry.location) },
      { key: "count", title: "How often", number: true, value: (entry) => entry.count, cell: (entry) => number(entry.count) },
    ],
  });
  const verdict = complete.map((part) => el("li", {}, el("code", {}, part.folder), part.complete ? ": nothing was left out; only assumptions are listed." : ": something was left out, so there may be more behaviour than this page shows."));
  const element = el("div", {}, el("p", { class: "intro" }, "The ", term("ledger"), " lists everything that the answer of an exploration does not cover. What it does not list, was done."), complete.length ? el("ul", {}, verdict) : el("p", {}, "There is no exploration, so there is no ledger. A fuzzing campaign leaves out everything that it did not run into."), entries.length ? [bar.element, list.element] : null);
  function update(values) {
    if (!entries.length) return;
    bar.update(values);
    list.update(entries.filter((entry) => (!values.category || entry.category === values.category) && matches(values.find, entry.location, entry.detail, entry.sentence)), values);
  }
  return { title: "Ledger", count: entries.length, element, update };
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

export function eventsSection(data) {
  const who = [...new Set(data.events.map((event) => event.by))].sort();
  const what = [...new Set(data.events.map((event) => event.what))].sort();
  const words = { sides: "covered more branch sides", bug: "found a bug", report: "reported defects", verdict: "gave verdicts", input: "passed on an input", ended: "ended" };
  const sentence = ({ what, count }) =>
    count === undefined
      ? (words[what] ?? what ?? "")
      : ({ sides: `was the first to cover ${counted(count, "branch side")}`, bug: `found its bug number ${number(count)}`, report: `has ${counted(count, "report")}`, verdict: `has ${counted(count, "verdict")}` }[what] ?? `${what} ${number(count)}`);
  const bar = filters([
    { section: "events", key: "by", label: "Who", options: [["", "everyone"], ...who.map((w) => [w, w])] },
    { section: "events", key: "what", label: "What", options: [["", "everything"], ...what.map((w) => [w, words[w] ?? w])] },
    { section: "events", key: "find", label: "Search", hint: "text" },
  ]);
  const list = table({
    caption: "Who found what, and when",
    noun: "event",
    columns: [
      { key: "seconds", title: "After", number: true, value: (event) => event.seconds ?? 0, cell: (event) => duration(event.seconds ?? 0) },
      { key: "processor", title: "Processor time", number: true, value: (event) => event.processor ?? 0, cell: (event) => duration(event.processor ?? 0) },
      { key: "by", title: "Who", value: (event) => event.by ?? "", cell: (event) => event.by ?? "" },
      { key: "what", title: "What", class: "wide", value: (event) => event.what ?? "", cell: (event) => [sentence(event), event.text ? el("div", { class: "quiet" }, event.text) : null] },
      { key: "sides", title: "Sides covered by all", number: true, value: (event) => event.sides ?? -1, cell: (event) => (event.sides === undefined ? "" : number(event.sides)) },
    ],
  });
  const element = el("div", {}, el("p", { class: "intro" }, "All parts of the run on one clock. Processor time is that of all parts together."), bar.element, list.element);
  function update(values) {
    bar.update(values);
    list.update(data.events.filter((event) => (!values.by || event.by === values.by) && (!values.what || event.what === values.what) && matches(values.find, event.text, event.what)), values);
  }
  return { title: "Who found what", count: data.events.length, element, update };
}

export function testsSection(data) {
  const rows = [];
  data.tests.forEach((part, p) => part.number.forEach((_, i) => rows.push({ p, i })));
  const at = (name) => ({ p, i }) => data.tests[p][name][i];
  const word = (name) => ({ p, i }) => data.tests[p][`${name}s`][data.tests[p][name][i]];
  const ends = [...new Set(data.tests.flatMap((part) => part.ends))].sort();
  const bar = filters([
    { section: "tests", key: "end", label: "Ends by", options: [["", "anything"], ...ends.map((end) => [end, end])] },
    { section: "tests", key: "kept", label: "Kept in", options: [["", "folder or store"], ["1", "a folder"], ["0", "the store"]] },
    { section: "tests", key: "find", label: "Number", hint: "7, or 100-199" },
  ]);
  const folderOf = ({ p }) => data.tests[p].folder;
  const list = table({
    caption: "Tests",
    noun: "test",
    columns: [
      { key: "number", title: "Test", number: true, value: at("number"), cell: (row) => String(at("number")(row)) },
      { key: "end", title: "Ends by", value: word("end"), cell: word("end") },
      { key: "branches", title: "Branches", number: true, value: at("branches"), cell: (row) => number(at("branches")(row)) },
      { key: "decisions", title: term("Fork", "Forks"), label: "Sort by forks", number: true, value: at("decisions"), cell: (row) => number(at("decisions")(row)) },
      { key: "instructions", title: "Instructions", number: true, value: at("instructions"), cell: (row) => number(at("instructions")(row)) },
      { key: "why", title: term("Why", "Why it was kept"), label: "Sort by why it was kept", value: word("why"), cell: word("why") },
      { key: "kept", title: "To see it", cell: (row) => el("code", {}, at("kept")(row) ? `${folderOf(row)}/tests/${String(at("number")(row)).padStart(6, "0")}` : `fathom tests ${folderOf(row)} --show ${at("number")(row)}`) },
    ],
  });
  const element = el("div", {}, el("p", { class: "intro" }, "Every explored path left a test. Those that were the first to cover something have folders; the others are in the ", term("store"), "."), bar.element, list.element);
  function inRange(text, value) {
    if (!text) return true;
    const [, first, , last] = /^(\d+)(-(\d*))?$/.exec(text.trim()) ?? [];
    return first !== undefined && (text.includes("-") ? value >= Number(first) && (!last || value <= Number(last)) : value === Number(first));
  }
  function update(values) {
    bar.update(values);
    const end = values.end ?? "", kept = values.kept ?? "";
    list.update(end || kept || values.find ? rows.filter((row) => (!end || word("end")(row) === end) && (!kept || String(at("kept")(row)) === kept) && inRange(values.find, at("number")(row))) : rows, values);
  }
  return { title: "Tests", count: rows.length, element, update };
}

export function aboutSection(data) {
  const element = el(
    "div",
    {},
    el("p", { class: "intro" }, `Made by ${data.tool} at ${data.made.replace("T", " ").replace("Z", " UTC")}, of:`),
    data.parts.map((part) =>
      el("div", { class: "part-of" }, el("h3", {}, el("code", {}, part.folder)), el("dl", { class: "facts-list" }, row("Made by", `fathom ${part.by}`), row("Program", part.program), row("Command", part.command && el("code", {}, part.command)), row("Started", part.started), row("Ended", part.ended), row("How it ended", part.howEnded), row("Took", part.seconds ? duration(part.seconds) : ""))),
    ),
    el("h3", {}, "What is not on this page"),
    data.missing.length ? el("ul", {}, data.missing.map((text) => el("li", {}, text))) : el("p", {}, "Nothing is missing of what these folders could have."),
    el("h3", {}, "Keys"),
    el("ul", {}, el("li", {}, el("kbd", {}, "1"), " to ", el("kbd", {}, "9"), ": the sections in their order"), el("li", {}, el("kbd", {}, "/"), ": search in this section"), el("li", {}, el("kbd", {}, "←"), " and ", el("kbd", {}, "→"), " on a step: back and forward"), el("li", {}, el("kbd", {}, "d"), ": dark or light")),
  );
  return { title: "About", count: undefined, element, update() {} };
}

const row = (name, text) => (text ? [el("dt", {}, name), el("dd", {}, text)] : []);
