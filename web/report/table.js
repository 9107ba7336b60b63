// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of any number of rows: only those of one page are in the document. Where it is, and by which
// column it is sorted, is in the hash.
import { counted, el, number, replace } from "./dom.js";
import { current, set } from "./state.js";

const kPage = 50;

/**
 * `columns`: [{ key, title (an element or a text), number (aligned right), label (of the sort button, where the title is no text), value(row) (to sort by), cell(row) }].
 * `rows`: a list, of anything. Returns { element, update(rows, values) }.
 */
export function table({ caption, columns, noun, sort = "", rowProps = () => ({}) }) {
  const head = el("tr", {}, columns.map(header));
  const body = el("tbody");
  const status = el("span", { role: "status" });
  const previous = el("button", { type: "button", class: "small", on: { click: () => turn(-1) } }, "Previous");
  const next = el("button", { type: "button", class: "small", on: { click: () => turn(1) } }, "Next");
  const wrapper = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `List: ${caption}` }, el("table", {}, el("caption", { class: "offscreen" }, caption), el("thead", {}, head), body));
  const pager = el("div", { class: "pager" }, status, el("span", { class: "spring" }), previous, next);
  const element = el("div", { class: "table" }, wrapper, pager);
  let rows = [], page = 0, order = "";

  function header(column) {
    if (!column.value) return el("th", { scope: "col", class: column.number ? "number" : "" }, column.title);
    const button = el("button", { type: "button", class: column.label ? "sort icon" : "sort", "aria-label": column.label, on: { click: () => set({ sort: order === column.key ? `-${column.key}` : column.key, page: "" }) } }, column.label ? "" : column.title);
    return el("th", { scope: "col", class: column.number ? "number" : "", data: { key: column.key } }, column.label ? [column.title, " "] : [], button);
  }

  function turn(by) {
    set({ page: page + by ? String(page + by + 1) : "" }, false);
    wrapper.scrollTop = 0;
  }

  function sorted(list) {
    const isDown = order.startsWith("-"), key = order.replace(/^-/, "");
    const column = columns.find((c) => c.key === key && c.value);
    if (!column) return list;
    const factor = isDown ? -1 : 1;
    return list
      .map((row, i) => [column.value(row), i, row])
      .sort((a, b) => (a[0] < b[0] ? -factor : a[0] > b[0] ? factor : a[1] - b[1]))
      .map((entry) => entry[2]);
  }

  function update(list, values = current().values) {
    order = values.sort ?? sort;
    rows = sorted(list);
    const pages = Math.max(1, Math.ceil(rows.length / kPage));
    page = Math.min(pages, Math.max(1, Number.parseInt(values.page ?? "1", 10) || 1)) - 1;
    for (const cell of head.children) {
      const key = cell.dataset.key;
      if (!key) continue;
      const by = order.replace(/^-/, "") === key ? (order.startsWith("-") ? "descending" : "ascending") : "none";
      cell.setAttribute("aria-sort", by);
    }
    const shown = rows.slice(page * kPage, (page + 1) * kPage);
    replace(
      body,
      shown.map((row) => el("tr", rowProps(row), columns.map((column, i) => el(i === 0 && column.isHeader ? "th" : "td", { scope: i === 0 && column.isHeader ? "row" : null, class: column.number ? "number" : (column.class ?? "") }, column.cell(row))))),
    );
    const from = page * kPage + 1, to = page * kPage + shown.length;
    status.textContent = rows.length === 0 ? `No ${noun}s fit.` : pages === 1 ? counted(rows.length, noun) : `${number(from)} to ${number(to)} of ${counted(rows.length, noun)}`;
    previous.disabled = page === 0;
    next.disabled = page + 1 >= pages;
    previous.hidden = next.hidden = pages === 1;
  }

  return { element, update };
}

/** Fields above a list, whose values stand in the hash. [{ key, label, options: [[value, text]] } or { key, label, search: true }] */
export function filters(fields) {
  const inputs = new Map();
  const element = el(
    "form",
    { class: "filters", role: "search", on: { submit: (event) => event.preventDefault() } },
    fields.map((field) => {
      const id = `filter-${field.section}-${field.key}`;
      const input = field.options
        ? el("select", { id, on: { change: () => set({ [field.key]: input.value, page: "" }) } }, field.options.map(([value, text]) => el("option", { value }, text)))
        : el("input", { id, type: "search", placeholder: field.hint ?? "", autocomplete: "off", spellcheck: "false", on: { input: () => set({ [field.key]: input.value, page: "" }) } });
      inputs.set(field.key, input);
      return el("span", { class: "field" }, el("label", { for: id }, field.label), input);
    }),
  );
  const clear = el("button", { type: "button", class: "small", on: { click: () => set(Object.fromEntries([...inputs.keys(), "page"].map((key) => [key, ""]))) } }, "Clear");
  element.append(clear);
  function update(values) {
    let isFiltered = false;
    for (const [key, input] of inputs) {
      const value = values[key] ?? "";
      if (input.value !== value) input.value = value;
      isFiltered ||= value !== "";
    }
    clear.hidden = !isFiltered;
  }
  return { element, update };
}
