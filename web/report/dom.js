// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the page makes its elements. All text comes in as text nodes and attributes, never as HTML, so
// nothing that a program, a message or an input holds can become markup.

/**
 * An element. `props`: `class`, `on` (event -> function), `data`, and attributes; null, undefined and
 * false are left out. Children: elements, strings, numbers, or lists of these.
 */
export function el(name, props = {}, ...children) {
  const out = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, run] of Object.entries(value)) out.addEventListener(event, run);
    else if (key === "class") out.className = value;
    else if (key === "data") Object.assign(out.dataset, value);
    else out.setAttribute(key, value === true ? "" : value);
  }
  append(out, children);
  return out;
}

export function append(parent, children) {
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false && child !== "") parent.append(child);
  return parent;
}

export function replace(parent, ...children) {
  parent.replaceChildren();
  return append(parent, children);
}

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const small = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** 1234567 -> "1,234,567"; what is below 10 and not whole, with one digit after the point. */
export const number = (value) => (Math.abs(value) < 9.95 ? small : numbers).format(value);

export const counted = (count, noun, plural = noun + "s") => `${number(count)} ${count === 1 ? noun : plural}`;

export const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : "-");

/** 83 -> "1 min 23 s" */
export function duration(seconds) {
  if (seconds < 60) return `${number(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** "/a/long/path/to/file.c" -> "file.c" */
export const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

export const placeText = (at) => (at.file ? `${baseName(at.file)}${at.line ? `:${at.line}` : ""}` : at.function || "unknown place");

/** A button that copies a text, and says so. */
export function copyButton(text, label = "Copy") {
  const button = el("button", { type: "button", class: "small", on: { click: copy } }, label);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A file that was opened from disk may not have a clipboard.
      const area = el("textarea", { class: "offscreen", "aria-label": "text to copy" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  }
  return button;
}
