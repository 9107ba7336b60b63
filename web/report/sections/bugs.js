// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { inputView } from "../bytes.js";
import { excerpt, fileLink } from "../code.js";
import { copyButton, counted, el, replace } from "../dom.js";
import { stepper } from "../stepper.js";
import { filters } from "../table.js";
import { term } from "../terms.js";

export function cweLink(cwe) {
  return cwe ? el("a", { href: `https://cwe.mitre.org/data/definitions/${cwe}.html`, rel: "noreferrer" }, `CWE ${cwe}`) : null;
}

export const matches = (find, ...texts) => !find || texts.some((text) => text && text.toLowerCase().includes(find.toLowerCase()));

export function bugsSection(data, sources) {
  const kinds = [...new Set(data.bugs.map((bug) => bug.kind))].sort();
  const bar = filters([
    { section: "bugs", key: "kind", label: "Kind", options: [["", "all kinds"], ...kinds.map((kind) => [kind, kind])] },
    { section: "bugs", key: "by", label: "Found by", options: [["", "anyone"], ["explore", "exploring"], ["fuzz", "fuzzing"]] },
    { section: "bugs", key: "find", label: "Search", hint: "function, file, message" },
  ]);
  const list = el("div", { class: "cards" });
  const status = el("p", { role: "status", class: "quiet" });
  const element = el("div", {}, el("p", { class: "intro" }, "Each ", term("bug"), " was executed. The first command of each shows it again."), bar.element, status, list);
  const followers = new Map();
  data.bugs.forEach((bug, i) => {
    if (bug.follows === undefined) return;
    if (!followers.has(bug.follows)) followers.set(bug.follows, []);
    followers.get(bug.follows).push(i);
  });

  const fits = (bug, values) => (!values.kind || bug.kind === values.kind) && (!values.by || bug.by === values.by) && matches(values.find, bug.message, bug.function, bug.file, bug.kind);

  function summaryOf(bug, i) {
    return [el("span", { class: "card-number" }, String(i + 1)), el("span", { class: "card-title" }, el("strong", {}, bug.kind), el("span", { class: "quiet" }, ` in ${bug.function ?? "?"} at `), el("span", { class: "place" }, bug.file ? `${bug.file.slice(bug.file.lastIndexOf("/") + 1)}:${bug.line}` : "?"), el("br"), el("span", { class: "message" }, bug.message ?? ""))];
  }

  function body(bug, i, isInner) {
    const others = followers.get(i) ?? [];
    return [
      el("p", { class: "facts" }, cweLink(bug.cwe), el("span", {}, `found by ${bug.by === "fuzz" ? "fuzzing" : "exploring"}`), el("span", {}, fileLink(sources, bug)), el("span", { class: "folder" }, bug.folder)),
      bug.about ? el("p", { class: "quiet" }, `Fathom reports ${bug.kind} for: ${bug.about}.`) : null,
      bug.replay ? el("div", { class: "command" }, el("code", {}, bug.replay), copyButton(bug.replay, "Copy")) : null,
      stepper(sources, bug.flows) ?? excerpt(sources, bug),
      el("h3", {}, "Input"),
      inputView(bug.input),
      bug.alsoAt.length ? [el("h3", {}, "Also shows at"), el("ul", {}, bug.alsoAt.map((at) => el("li", {}, fileLink(sources, at), at.function ? ` in ${at.function}` : "")))] : null,
      others.length && !isInner ? el("div", { class: "followers" }, el("h3", {}, term("Follows from", `${counted(others.length, "bug")} folded under this one`)), others.map((other) => card(other, true))) : null,
    ];
  }

  function card(i, isInner = false) {
    const bug = data.bugs[i];
    const content = el("div", { class: "card-body" });
    const details = el("details", { class: "card", id: `bug-${i + 1}` }, el("summary", {}, summaryOf(bug, i), isInner ? el("span", { class: "quiet" }, ` (${bug.why})`) : null, !isInner && followers.has(i) ? el("span", { class: "badge" }, `and ${followers.get(i).length} more`) : null), content);
    const fill = () => {
      if (details.open && !content.firstChild) replace(content, body(bug, i, isInner));
    };
    details.addEventListener("toggle", fill);
    details.fill = fill;
    return details;
  }

  function update(values) {
    bar.update(values);
    const heads = data.bugs.map((_, i) => i).filter((i) => data.bugs[i].follows === undefined);
    const shown = heads.filter((i) => fits(data.bugs[i], values) || (followers.get(i) ?? []).some((f) => fits(data.bugs[f], values)));
    status.textContent = data.bugs.length === 0 ? "No bugs were found." : shown.length === heads.length ? counted(shown.length, "bug") : `${shown.length} of ${counted(heads.length, "bug")}`;
    const key = shown.join();
    if (list.dataset.key !== key) {
      list.dataset.key = key;
      replace(list, shown.slice(0, 200).map((i) => card(i)), shown.length > 200 ? el("p", { class: "quiet" }, `and ${shown.length - 200} more; filter to see them`) : null);
    }
    const wanted = Number(values.item ?? 0);
    if (!wanted) {
      if (shown.length === 1 && heads.length === 1) openCard(shown[0], false);
      return;
    }
    const head = data.bugs[wanted - 1]?.follows ?? wanted - 1;
    openCard(head, true);
    if (head !== wanted - 1) openCard(wanted - 1, true);
  }

  function openCard(i, isFocused) {
    const at = document.getElementById(`bug-${i + 1}`);
    if (!at) return;
    at.open = true;
    at.fill();
    if (isFocused) at.scrollIntoView({ block: "start" });
  }

  return { title: "Bugs", count: data.bugs.filter((bug) => bug.follows === undefined).length, element, update };
}
