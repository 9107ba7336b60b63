// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { curveChart } from "../chart.js";
import { counted, duration, el, number, percent } from "../dom.js";
import { term } from "../terms.js";
import { conditionView } from "./blockers.js";
import { verdicts } from "./reports.js";

/** [covered ####----- estimate |---| ------ upper bound] on one line. */
function bracket(curve) {
  const { covered, unreachable, total, estimate } = curve;
  if (!total) return null;
  const at = (value) => `${Math.min(100, Math.max(0, (100 * value) / total)).toFixed(2)}%`;
  const most = total - unreachable;
  const said = `${number(covered)} covered, at most ${number(most)} can be${estimate ? `, estimated ${number(estimate.value)}${estimate.low === undefined ? "" : `, with 90 % confidence between ${number(estimate.low)} and ${number(estimate.high)}`}` : ""}; ${number(total)} in all`;
  return el(
    "div",
    { class: "bracket" },
    el("div", { class: "bracket-line", role: "img", "aria-label": said }, el("span", { class: "done", style: `inline-size:${at(covered)}` }), el("span", { class: "dead", style: `inline-size:${at(unreachable)}` }), estimate && estimate.low !== undefined ? el("span", { class: "interval", style: `inset-inline-start:${at(estimate.low)};inline-size:calc(${at(Math.min(most, estimate.high))} - ${at(estimate.low)})` }) : null, estimate ? el("span", { class: "point", style: `inset-inline-start:${at(estimate.value)}` }) : null),
    el(
      "dl",
      { class: "bracket-words" },
      el("div", {}, el("dt", {}, term("Lower bound", "covered")), el("dd", {}, number(covered), el("span", { class: "quiet" }, ` ${percent(covered, total)}`))),
      estimate ? el("div", {}, el("dt", {}, term("Estimate", "estimate of what can be reached")), el("dd", {}, number(estimate.value), estimate.low === undefined ? null : el("span", { class: "quiet" }, ` ${number(estimate.low)} to ${number(estimate.high)}, `, term("90 % interval")))) : null,
      el("div", {}, el("dt", {}, term("Upper bound", "upper bound")), el("dd", {}, number(most), el("span", { class: "quiet" }, unreachable ? ` ${number(total)} without ${number(unreachable)} proved unreachable` : " all; none is proved unreachable"))),
    ),
  );
}

export function overviewSection(data) {
  const { curve } = data;
  const chart = curveChart(data);
  const counts = new Map();
  for (const report of data.reports) counts.set(report.verdict, (counts.get(report.verdict) ?? 0) + 1);
  const bugs = data.bugs.map((bug, i) => ({ bug, i })).filter(({ bug }) => bug.follows === undefined);
  const explored = data.parts.filter((part) => part.by === "explore");
  const element = el(
    "div",
    { class: "overview" },
    curve.total
      ? el(
          "section",
          { "aria-labelledby": "progress-title" },
          el("h2", { id: "progress-title" }, "How far it came"),
          bracket(curve),
          curve.isUnion ? null : el("p", { class: "quiet" }, "An exploration tells how many branch sides it covered, not which, so the number is that of the part that covered most. After fathom replay, the page knows which, and counts those of all parts."),
          chart?.element,
          chart?.asTable(),
          curve.estimate ? el("p", { class: "quiet" }, "The estimate is that of ", el("code", {}, curve.estimate.estimator), ", whose ", term("Trust", "trust"), ` is ${curve.estimate.trust}${data.events.some((event) => event.sides !== undefined) ? "" : "; the dashed line is the expected course of fuzzing alone, without what seeds covered, and nine in ten campaigns would stay in the band around it"}. `, el("code", {}, `fathom estimate ${curve.estimate.folder}`), " has all estimators.") : curve.noEstimate ? el("p", { class: "quiet" }, "No estimate: ", curve.noEstimate) : null,
          curve.lines ? el("p", { class: "quiet" }, `Lines: ${number(curve.linesCovered)} of ${number(curve.lines)} with code are covered (${percent(curve.linesCovered, curve.lines)}).`) : null,
        )
      : null,
    bugs.length
      ? el("section", { "aria-labelledby": "bugs-title" }, el("h2", { id: "bugs-title" }, "Bugs"), el("ol", { class: "brief" }, bugs.slice(0, 8).map(({ bug, i }) => el("li", {}, el("a", { href: `#bugs?item=${i + 1}` }, `${bug.kind} in ${bug.function ?? "?"}`), el("span", { class: "quiet" }, ` ${bug.file ? `${bug.file.slice(bug.file.lastIndexOf("/") + 1)}:${bug.line}` : ""} `), el("div", {}, bug.message)))), bugs.length > 8 ? el("a", { href: "#bugs" }, `All ${counted(bugs.length, "bug")}`) : null)
      : null,
    data.reports.length
      ? el("section", { "aria-labelledby": "reports-title" }, el("h2", { id: "reports-title" }, "Reports"), el("ul", { class: "tally" }, verdicts.filter((verdict) => counts.get(verdict)).map((verdict) => el("li", {}, el("a", { href: `#reports?verdict=${verdict}` }, el("span", { class: "big" }, number(counts.get(verdict))), " ", el("span", { class: `verdict ${verdict}` }, verdict))))))
      : null,
    data.blockers.length
      ? el("section", { "aria-labelledby": "blocked-title" }, el("h2", { id: "blocked-title" }, "What blocks progress"), el("ol", { class: "brief" }, data.blockers.slice(0, 5).map((blocker, i) => el("li", {}, conditionView(blocker), el("div", { class: "quiet" }, el("a", { href: `#blocked?item=${i + 1}` }, `${blocker.file.slice(blocker.file.lastIndexOf("/") + 1)}:${blocker.line}`), ` in ${blocker.function}: ${counted(blocker.behind, "uncovered side")} behind it`)))), el("a", { href: "#blocked" }, `All ${counted(data.allBlockers, "branch side")}`))
      : null,
    explored.length ? el("section", { "aria-labelledby": "explored-title" }, el("h2", { id: "explored-title" }, "Explored"), explored.map((part) => el("dl", { class: "facts-list" }, fact("Paths completed", part.totals.paths_completed), fact("Tests", part.totals.tests), fact("Instructions", part.totals.instructions), fact("Queries to the solver", part.totals.queries), el("dt", {}, "Time"), el("dd", {}, duration(part.seconds)), part.howEnded ? [el("dt", {}, "How it ended"), el("dd", {}, part.howEnded)] : null))) : null,
  );
  return { title: "Overview", count: undefined, element, update() {}, draw: () => chart?.draw() };
}

const fact = (name, value) => (value === undefined ? [] : [el("dt", {}, name), el("dd", {}, number(value))]);
