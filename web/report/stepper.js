// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A way through the source, step by step, forward and back: buttons, the list of steps, and the arrow
// keys while one of these has the focus.
import { el, replace } from "./dom.js";
import { excerpt, fileLink } from "./code.js";

export function stepper(sources, flows) {
  const usable = flows.filter((flow) => flow.steps.length);
  if (!usable.length) return null;
  const view = el("div", { class: "stepper-view" });
  const list = el("ol", { class: "steps" });
  const status = el("span", { role: "status", class: "quiet" });
  const back = el("button", { type: "button", class: "small", on: { click: () => move(-1) } }, "← Back");
  const forward = el("button", { type: "button", class: "small", on: { click: () => move(1) } }, "Forward →");
  const choice = usable.length > 1 ? el("select", { "aria-label": "Which way through the source", on: { change: () => open(Number(choice.value)) } }, usable.map((flow, i) => el("option", { value: i }, flow.title || `path ${i + 1}`))) : null;
  const title = el("p", { class: "quiet flow-title" });
  let flow = usable[usable.length - 1], at = 0;

  function open(number) {
    flow = usable[number];
    at = flow.steps.length - 1;
    title.textContent = usable.length > 1 ? "" : flow.title ?? "";
    title.hidden = !title.textContent;
    list.replaceChildren(
      ...flow.steps.map((step, i) =>
        el("li", { class: step.minor ? "minor" : "" }, el("button", { type: "button", on: { click: () => show(i) } }, el("span", { class: "step-text" }, step.text || step.function || "step"), el("span", { class: "step-place" }, step.function && step.function !== step.text ? `${step.function}, ` : "", step.file ? step.file.slice(step.file.lastIndexOf("/") + 1) : "", step.line ? `:${step.line}` : ""))),
      ),
    );
    show(at);
  }

  function show(number) {
    at = number;
    const step = flow.steps[at];
    [...list.children].forEach((item, i) => {
      item.firstChild.setAttribute("aria-current", i === at ? "step" : "false");
    });
    status.textContent = `Step ${at + 1} of ${flow.steps.length}`;
    back.disabled = at === 0;
    forward.disabled = at + 1 === flow.steps.length;
    replace(view, el("p", { class: "step-now" }, el("strong", {}, step.text || step.function || ""), " ", fileLink(sources, step), step.function ? ` in ${step.function}` : ""), excerpt(sources, step, { around: 5, notes: false }));
  }

  function move(by) {
    const next = at + by;
    if (next < 0 || next >= flow.steps.length) return;
    show(next);
    list.children[next].firstChild.scrollIntoView({ block: "nearest" });
  }

  function onKey(event) {
    if (event.target.closest("select, input, .code")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") move(-1);
    else return;
    event.preventDefault();
  }

  const element = el("div", { class: "stepper", on: { keydown: onKey } }, el("div", { class: "stepper-bar" }, back, forward, status, choice), title, el("div", { class: "stepper-body" }, el("div", { class: "steps-box", tabindex: "0", role: "region", "aria-label": "Steps" }, list), view));
  const first = Math.max(0, usable.findIndex((f) => /a path that shows it|calls that led/.test(f.title ?? "")));
  if (choice) choice.value = String(first);
  open(first);
  return element;
}
