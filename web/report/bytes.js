// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input of a program: as text where it is text, and as a dump.
import { counted, el, number } from "./dom.js";

export function toBytes(hex) {
  const out = new Uint8Array(hex.length / 2);
  for (let i = 0; i < out.length; ++i) out[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return out;
}

/** Printable ASCII as it is; other bytes as C writes them. */
export function asText(bytes) {
  const named = { 9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\", 34: '\\"' };
  let out = "";
  for (const byte of bytes) out += named[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`);
  return out;
}

export function asDump(bytes) {
  const rows = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const hex = [...row].map((b, i) => b.toString(16).padStart(2, "0") + (i === 7 ? " " : "")).join(" ");
    rows.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(49)}  ${[...row].map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : ".")).join("")}`);
  }
  return rows.join("\n");
}

export function inputView(parts) {
  if (!parts.length) return el("p", { class: "quiet" }, "The bug needs no input.");
  return parts.map((part) => {
    const bytes = toBytes(part.hex);
    const rest = part.size > bytes.length ? `; the first ${number(bytes.length)} are shown` : "";
    return el(
      "div",
      { class: "input" },
      el("h4", {}, part.name, el("span", { class: "quiet" }, ` ${counted(part.size, "byte")}${rest}`)),
      el("pre", { class: "bytes", tabindex: "0", "aria-label": `${part.name} as text` }, `"${asText(bytes)}"`),
      el("details", {}, el("summary", {}, "Bytes"), el("pre", { class: "bytes", tabindex: "0", "aria-label": `${part.name} as bytes` }, asDump(bytes))),
    );
  });
}
