# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of bench/defer: what rows of several seeds say about the modes, with intervals, beside targets and the paper's figures.

A program is measured in all modes with the same seeds, so the intervals are those of a paired bootstrap: programs are drawn, and for each of them
seeds, the same ones for every mode. A program counts where it has a row of each mode that is compared; a seed where all those modes have it.
"""
import random
import statistics

RESAMPLES = 2000
LEAST_GAP = 5.0  # points between concretize and inlined for "of the way" to say anything
COMPARED = ["concretize", "inlined", "symbolic-return", "defer", "defer-strict"]

# Of which figure, what it should reach, and whether more is better.
TARGETS = {("defer", "way"): (0.8, True), ("defer-strict", "diverged"): (-80.0, False)}
# Pandey, Kotcharlakota, Roy (ISSTA 2019): against their own KLEE, after two hours.
PAPER = {("defer", "points"): "15.54", ("defer", "ratio"): "66.94 %", ("defer-strict", "diverged"): "below -55 %"}


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def head(*cells):
    print()
    line(cells)
    print("|" + "---|" * len(cells))


def seed_of(row):
    return row.get("seed", 1)


def budget_of(row):
    return "%d instructions" % row["instructions"] if row.get("instructions") else "%d s" % row["seconds"]


def complete(rows, modes):
    """{tool: {seed: {mode: row}}}, as far as a seed of the tool has a row of each mode."""
    found = {}
    for row in rows:
        if "failed" not in row and row["mode"] in modes:
            found.setdefault(row["tool"], {}).setdefault(seed_of(row), {})[row["mode"]] = row
    found = {tool: {s: of for s, of in seeds.items() if len(of) == len(modes)} for tool, seeds in found.items()}
    return {tool: seeds for tool, seeds in found.items() if seeds}


def mean_of(rows, mode, column):
    return statistics.fmean(row[mode][column] for row in rows)


def figures(sample, mode):
    """Of a list of programs, each the list of its seeds' rows: this mode against concretize."""
    low = [mean_of(rows, "concretize", "covered") for rows in sample]
    here = [mean_of(rows, mode, "covered") for rows in sample]
    lost = statistics.fmean(mean_of(rows, "concretize", "diverged") for rows in sample)
    diverged = statistics.fmean(mean_of(rows, mode, "diverged") for rows in sample)
    out = {"points": statistics.fmean(h - l for h, l in zip(here, low)), "covered": statistics.fmean(here), "share": diverged}
    if statistics.fmean(low):
        out["ratio"] = 100.0 * (statistics.fmean(here) / statistics.fmean(low) - 1)
    if lost:
        out["diverged"] = 100.0 * (diverged / lost - 1)
    ways = []
    for rows, h, l in zip(sample, here, low):
        gap = mean_of(rows, "inlined", "covered") - l if "inlined" in rows[0] else 0
        if gap >= LEAST_GAP:
            ways.append((h - l) / gap)
    if ways:
        out["way"], out["median way"] = statistics.fmean(ways), statistics.median(ways)
    return out


def interval(values):
    """What the middle 95 % of them lie between."""
    values = sorted(values)
    return values[int(0.025 * (len(values) - 1))], values[int(round(0.975 * (len(values) - 1)))]


def bootstrap(programs, of):
    """`of` (a list of programs -> {figure: value}) of all, and the interval of each figure."""
    rng, everything = random.Random(1), list(programs.values())
    whole, drawn = of([list(seeds.values()) for seeds in everything]), {}
    for _ in range(RESAMPLES):
        sample = []
        for seeds in rng.choices(everything, k=len(everything)):
            sample.append(rng.choices(list(seeds.values()), k=len(seeds)))
        for name, value in of(sample).items():
            drawn.setdefault(name, []).append(value)
    return whole, {name: interval(values) for name, values in drawn.items()}


def cell(whole, intervals, name, text):
    if name not in whole:
        return "-"
    low, high = intervals[name]
    return "%s (%s, %s)" % (text % whole[name], text % low, text % high)


def verdict(target, more_is_better, value, between):
    reached = value >= target if more_is_better else value <= target
    inside = between[0] <= target <= between[1]
    return ("reached" if reached else "**missed**") + (", the interval holds the target" if inside else "")


def print_modes(rows, modes):
    """The modes against concretize, and what of it was a target."""
    if "concretize" not in modes:
        return
    seeds = sorted({seed_of(r) for r in rows if r["mode"] in modes})
    print("\nSeeds %s. In brackets: 95 %% of a paired bootstrap (programs, and seeds of each)." % ", ".join(map(str, seeds)))
    head("mode", "programs", "sides %", "points more than concretize", "ratio of means, %", "of the way to inlined, mean", "median", "diverged %", "diverged against concretize, %")
    said = []
    for mode in modes:
        programs = complete(rows, {m for m in ("concretize", "inlined") if m in modes} | {mode})
        if not programs:
            continue
        whole, intervals = bootstrap(programs, lambda sample: figures(sample, mode))
        line([mode, str(len(programs)), "%.1f" % whole["covered"], cell(whole, intervals, "points", "%.2f"), cell(whole, intervals, "ratio", "%.1f"),
              cell(whole, intervals, "way", "%.3f"), cell(whole, intervals, "median way", "%.2f"), cell(whole, intervals, "share", "%.2f"),
              cell(whole, intervals, "diverged", "%.0f")])
        for (of, name), (target, more) in TARGETS.items():
            if of == mode and name in whole:
                said.append((of, name, whole[name], target, verdict(target, more, whole[name], intervals[name])))
    if said:
        head("target", "wanted", "measured", "")
        for mode, name, value, target, how in said:
            what = {"way": "of the way to inlined, mean", "diverged": "diverged against concretize, %"}[name]
            line(["%s: %s" % (mode, what), "%g" % target, "%.3f" % value if name == "way" else "%.1f" % value, how])
    paper = {"points": "%s points", "ratio": "ratio of means %s", "diverged": "divergence %s"}
    print("\nThe paper, against its own concretizing engine after two hours: " + ", ".join(mode + ": " + paper[name] % value for (mode, name), value in PAPER.items()) + ".")


def print_programs(rows, modes):
    found = {}
    for row in rows:
        found.setdefault(row["tool"], {}).setdefault(row["mode"], []).append(row)
    strict = "defer-strict" if "defer-strict" in modes else modes[-1] if modes else ""
    head("program", *modes, "diverged %, of each", "opened states % of " + strict, "queries with operations, left to search, searched, solved")

    def mean(of, mode, column, text):
        return text % statistics.fmean(r.get(column, 0) for r in of[mode]) if mode in of else "-"
    for tool, of in found.items():
        for row in of.get(strict, []):
            row["searched"] = row.get("asked", 0) - row.get("predicted", 0)
        line([tool] + [mean(of, m, "covered", "%.1f") for m in modes] + [", ".join(mean(of, m, "diverged", "%.1f") for m in modes), mean(of, strict, "opened", "%.0f"),
              ", ".join(mean(of, strict, n, "%.0f") for n in ("applied", "asked", "searched", "solved"))])


def print_queries(rows):
    """What part of the queries is left to the search."""
    head("mode", "queries", "... with operations", "left to search, % of all", "% of those with operations", "searched after the predictor, % of all", "solved, % of searched")
    modes = {}
    for row in rows:
        if "applied" in row and row["applied"]:
            modes.setdefault(row["mode"], []).append(row)
    for mode, of in modes.items():
        total = lambda name: sum(r[name] for r in of)
        searched = total("asked") - total("predicted")
        line([mode, "{:,}".format(total("queries")), "{:,}".format(total("applied")), "%.2f" % (100.0 * total("asked") / max(1, total("queries"))),
              "%.1f" % (100.0 * total("asked") / total("applied")), "%.2f" % (100.0 * searched / max(1, total("queries"))), "%.0f" % (100.0 * total("solved") / max(1, searched))])
    print("\nThe paper: about 17 % of the queries need the search; 38.60 % of the states are lost by concretizing.")


def print_against(rows, base, others, title):
    """Further rows of a mode, each against the mode itself with the same seeds."""
    printed = False
    for other in others:
        programs = complete(rows, [base, other])
        if not programs:
            continue

        def of(sample):
            here, there = ([mean_of(r, m, "covered") for r in sample] for m in (base, other))
            return {"points": statistics.fmean(t - h for h, t in zip(here, there)), "ratio": 100.0 * (statistics.fmean(there) / max(1e-9, statistics.fmean(here)) - 1),
                    "relative": 100.0 * statistics.fmean(t / h - 1 for h, t in zip(here, there) if h) if any(here) else 0,
                    "diverged": statistics.fmean(mean_of(r, other, "diverged") for r in sample), "before": statistics.fmean(mean_of(r, base, "diverged") for r in sample)}
        whole, intervals = bootstrap(programs, of)
        if not printed:
            print("\n" + title)
            head("rows", "against", "programs", "points", "ratio of means, %", "mean of ratios, %", "diverged %", "... of what it is against")
            printed = True
        line([other, base, str(len(programs)), cell(whole, intervals, "points", "%.2f"), cell(whole, intervals, "ratio", "%.1f"), cell(whole, intervals, "relative", "%.1f"),
              "%.2f" % whole["diverged"], "%.2f" % whole["before"]])


def print_times(rows):
    """Sides over time: natively covered by the tests that were there by then."""
    marks = sorted({t for r in rows for t in r.get("over_time", {})}, key=float)
    if not marks:
        return
    head("mode", "programs", *["sides %% after %s s" % mark for mark in marks])
    modes = {}
    for row in rows:
        if row.get("over_time"):
            modes.setdefault(row["mode"], []).append(row)
    for mode, of in modes.items():
        line([mode, str(len({r["tool"] for r in of}))] + ["%.1f" % statistics.fmean(r["over_time"][m] for r in of if m in r["over_time"]) for m in marks])


def print_table(rows):
    """Everything, for each set of programs and each length of the runs."""
    good = [row for row in rows if "failed" not in row]
    for which, _, budget in sorted({(r["set"], r["seconds"], budget_of(r)) for r in good}):
        here = [r for r in good if (r["set"], budget_of(r)) == (which, budget)]
        print("\n## %s, %s, build %s" % (which, budget, ", ".join(sorted({r.get("build", "?") for r in here}))))
        modes = [m for m in COMPARED if any(r["mode"] == m for r in here)]
        print_programs(here, modes)
        print_modes(here, modes)
        print_queries(here)
        labels = list(dict.fromkeys(r["mode"] for r in here))
        for without in [m for m in labels if m.startswith("defer-strict without ")]:
            print_against(here, without, ["defer-strict"], "What a part of the fuzz solver brings (the paper: its predictor 12.07 %):")
        print_against(here, "defer", [m for m in labels if m.startswith("defer ")] + [m for m in ["defer-strict"] if m in modes],
                      "The bias: searches at branches on arguments alone, from never (defer) to always (defer-strict):")
        print_times(here)
    failed = [row for row in rows if "failed" in row]
    for row in failed:
        print("\n%s, %s, seed %d: %s" % (row["tool"], row["mode"], seed_of(row), row["failed"]))
