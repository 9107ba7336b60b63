// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms are explained where they stand: a button that opens a definition beside it. Those of the
// documentation's glossary come from there, the others from the list below.
import glossary from "../../docs/glossary.md";
import { el } from "./dom.js";

const own = {
  Refuted: "No path shows the defect, whatever the input: the report is a false alarm.",
  Confirmed: "A path from the program's start shows the defect, in most cases with an input that was run.",
  Possible: "A path from an inner function shows the defect. It is not known whether the program's callers ever pass such arguments.",
  Open: "Neither shown nor refuted: a limit ended the search, or Fathom cannot decide such reports. The reason says which.",
  Bounded: "No path shows the defect within a bound (rounds of a loop, depth). Beyond the bound it is unknown.",
  Unchecked: "An analyser reports it, and nothing has checked it: it may be a false alarm. fathom confirm gives verdicts.",
  CWE: "Common Weakness Enumeration: the number of a class of defects in a public list.",
  "Proved unreachable": "No input can make the program execute this, which Fathom has proved: nothing calls the function, or the condition can never hold.",
  "Within reach": "Uncovered branch sides that control flow can come to from there, over code that was never executed. Code behind two branches counts for both.",
  "Upper bound": "All branch sides without those that are proved unreachable. No input can cover more.",
  "Lower bound": "Branch sides that an execution has taken.",
  Estimate: "How many branch sides fuzzing could cover if it went on for ever, judged by how often the covered ones were seen. An estimate, not a proof; docs/estimate.md says how far it can be trusted.",
  "90 % interval": "In nine campaigns of ten, the true number should lie in such an interval.",
  Trust: "How far an estimator can be believed for these data: good, fair, poor or none. fathom estimate says why.",
  Bug: "An error that Fathom executed: it has an input that shows it.",
  Report: "What an analyser says may be wrong. It has not been executed unless its verdict is confirmed.",
  "Follows from": "Folded under another bug: the same kind at the same place by other calls, or in the same function on the same object. A repair of the first often removes it.",
  Why: "A test is kept in a folder if it was the first to cover an instruction or a branch side.",
};

/** "Branch, branch side." has two names; "Block (of elements)." is Block. */
function parse(markdown) {
  const out = new Map();
  for (const match of markdown.matchAll(/^\*\*(.+?)\.\*\* ([^]*?)(?=\n\n|$(?![^]))/gm)) {
    const text = match[2].replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "").replace(/\s+/g, " ").trim();
    for (const name of match[1].replace(/ \(.*\)/, "").split(", ")) out.set(name.toLowerCase(), { name, text });
  }
  return out;
}

const words = parse(glossary);
for (const [name, text] of Object.entries(own)) words.set(name.toLowerCase(), { name, text });

export const definition = (word) => words.get(word.toLowerCase());

let last = 0;

/** The word with its definition; the bare word where there is none. */
export function term(word, shown = word) {
  const known = definition(word);
  if (!known) return el("span", {}, shown);
  const id = `term-${++last}`;
  const box = el("span", { id, class: "definition", popover: "auto", role: "note" }, el("strong", {}, known.name), " ", known.text);
  const button = el("button", { type: "button", class: "term", "aria-describedby": id, "aria-expanded": "false", on: { click: open } }, shown);
  box.addEventListener("toggle", (event) => button.setAttribute("aria-expanded", String(event.newState === "open")));
  function open() {
    if (!box.showPopover) {
      alert(`${known.name}: ${known.text}`);
      return;
    }
    if (box.matches(":popover-open")) return box.hidePopover();
    box.showPopover();
    const at = button.getBoundingClientRect();
    const width = box.offsetWidth;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    const below = at.bottom + 6;
    const top = below + box.offsetHeight > innerHeight ? at.top - box.offsetHeight - 6 : below;
    box.style.top = `${Math.max(8, Math.min(top, innerHeight - box.offsetHeight - 8))}px`;
  }
  return el("span", { class: "termed" }, button, box);
}
