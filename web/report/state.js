// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is shown and how it is filtered stands in the URL's hash: #reports?verdict=open&find=free. A
// link to a view can be sent to somebody, and the browser's back button works.

const listeners = [];

export function parseHash(hash) {
  const [section, query = ""] = hash.replace(/^#/, "").split("?");
  return { section: decodeURIComponent(section), values: Object.fromEntries(new URLSearchParams(query)) };
}

export function formatHash(section, values) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "" && value !== undefined && value !== null));
  const text = query.toString();
  return `#${encodeURIComponent(section)}${text ? `?${text}` : ""}`;
}

export const current = () => parseHash(location.hash);

/** Shows a section with these values; `quiet`: no new entry in the history (a filter while it is typed). */
export function go(section, values = {}, quiet = false) {
  const hash = formatHash(section, values);
  if (hash === location.hash) return;
  if (quiet) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  tell();
}

/** Changes values of the section that is shown. */
export function set(changes, quiet = true) {
  const { section, values } = current();
  go(section, { ...values, ...changes }, quiet);
}

export const onChange = (listener) => listeners.push(listener);

function tell() {
  for (const listener of listeners) listener(current());
}

addEventListener("hashchange", tell);
addEventListener("popstate", tell);
