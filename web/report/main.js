// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page: reads the data, makes a section when it is first shown, and follows the hash.
import { Sources } from "./code.js";
import { append, el, number } from "./dom.js";
import { current, go, onChange } from "./state.js";
import { blockersSection } from "./sections/blockers.js";
import { bugsSection } from "./sections/bugs.js";
import { aboutSection, eventsSection, ledgerSection, testsSection } from "./sections/lists.js";
import { overviewSection } from "./sections/overview.js";
import { reportsSection } from "./sections/reports.js";
import { sourceSection } from "./sections/source.js";

const data = JSON.parse(document.getElementById("data").textContent);
document.title = `${data.title}: Fathom's report`;

const heads = data.bugs.filter((bug) => bug.follows === undefined).length;
const hasRun = data.parts.some((part) => part.by === "explore" || part.by === "fuzz");
const sections = [
  ["overview", "Overview", null, () => overviewSection(data)],
  ["bugs", "Bugs", hasRun ? heads : undefined, () => bugsSection(data, sources())],
  ["reports", "Reports", data.reports.length || undefined, () => reportsSection(data, sources())],
  ["source", "Source", data.files.length || undefined, () => sourceSection(data, sources())],
  ["blocked", "Blocked", hasRun ? data.allBlockers : undefined, () => blockersSection(data, sources())],
  ["events", "Who found what", data.events.length || undefined, () => eventsSection(data)],
  ["ledger", "Ledger", hasRun ? data.ledger.entries.length : undefined, () => ledgerSection(data, sources())],
  ["tests", "Tests", data.tests.reduce((sum, part) => sum + part.number.length, 0) || undefined, () => testsSection(data)],
  ["about", "About", null, () => aboutSection(data)],
].filter(([, , count]) => count !== undefined);

let allSources = null;
function sources() {
  return (allSources ??= new Sources(data));
}

const made = new Map();
const main = document.querySelector("main");
const nav = document.querySelector("nav ul");

const links = new Map(sections.map(([id, title, count]) => [id, el("a", { href: `#${id}` }, title, count ? el("span", { class: "count" }, number(count)) : null)]));
append(nav, sections.map(([id]) => el("li", {}, links.get(id))));
append(document.getElementById("sentences"), data.sentences.map((text, i) => el(i ? "p" : "h1", {}, text)));
document.getElementById("program").textContent = data.title;
if (data.missing.length) document.getElementById("missing").append(el("a", { href: "#about" }, data.missing.length === 1 ? "1 thing could not be shown" : `${data.missing.length} things could not be shown`));

let shownId = "";
function show({ section, values }) {
  const entry = sections.find(([id]) => id === section) ?? sections[0];
  const [id, title, , make] = entry;
  if (!made.has(id)) {
    const built = make();
    built.frame = el("section", { class: "section", "aria-labelledby": `title-${id}` }, el("h2", { id: `title-${id}`, tabindex: "-1", class: id === "overview" ? "offscreen" : "" }, title), built.element);
    main.append(built.frame);
    made.set(id, built);
  }
  for (const [other, built] of made) built.frame.hidden = other !== id;
  for (const [other, link] of links) {
    if (other === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const isNew = shownId !== id;
  shownId = id;
  document.body.dataset.section = id;
  made.get(id).update(values);
  made.get(id).draw?.();
  if (isNew && document.activeElement?.closest("nav")) scrollTo(0, 0);
}

onChange(show);
show(current());

// ---- light and dark

const switcher = document.getElementById("theme");
const isDark = matchMedia("(prefers-color-scheme: dark)");
let kept = null;
try {
  kept = localStorage.getItem("fathom-theme");
} catch {
  // A page from disk may have no storage.
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  switcher.textContent = theme === "dark" ? "Light" : "Dark";
  switcher.setAttribute("aria-label", `Change to ${theme === "dark" ? "light" : "dark"} colours`);
  for (const built of made.values()) if (!built.frame.hidden) built.draw?.();
}

function toggleTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("fathom-theme", theme);
  } catch {
    // It lasts as long as the page then.
  }
  setTheme(theme);
}

setTheme(kept ?? (isDark.matches ? "dark" : "light"));
isDark.addEventListener("change", () => setTheme(isDark.matches ? "dark" : "light"));
switcher.addEventListener("click", toggleTheme);

// ---- keys

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (/^[1-9]$/.test(event.key) && sections[Number(event.key) - 1]) {
    const id = sections[Number(event.key) - 1][0];
    go(id);
    document.getElementById(`title-${id}`).focus();
  } else if (event.key === "/") {
    const search = made.get(shownId)?.frame.querySelector('input[type="search"]');
    if (!search) return;
    event.preventDefault();
    search.focus();
  } else if (event.key === "d") {
    toggleTheme();
  }
});

document.documentElement.dataset.ready = "yes";
