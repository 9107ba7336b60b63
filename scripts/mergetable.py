#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of bench/merge: what rows of several seeds say about merging, with intervals, beside targets.

    mergetable.py FILE...      # what bench/merge --results FILE left

A driver counts for times where the median run of one of the two modes has ended, and for lines where that of one of them has not: elsewhere the two
are equal by definition. A run that was cut off counts with the time limit, so its speed-up is a lower bound (or an upper one, where --merge pattern is
cut off). Intervals are those of a paired bootstrap: drivers are drawn, and for each of them seeds, the same ones for both modes.
"""
import json
import os
import random
import statistics
import sys

sys.dont_write_bytecode = True
from defertable import head, interval, line

RESAMPLES = 2000
MODES = ["pat", "cfg", "base"]
FASTER_THAN_CFG = ["sofia-sip", "wget", "apr", "json-c", "busybox"]  # where a median of 2 is wanted
LEAST_TIME = 0.1  # s: less counts as this, because below it ticks of the clock would decide


def name_of(subject):
    return os.path.basename(subject)  # of a program of one's own, its path


def is_good(row):
    return "failed" not in row


def by_driver(rows, modes):
    """{driver: {seed: {mode: row}}}, as far as a seed of the driver has a row of each mode."""
    found = {}
    for row in rows:
        if row["mode"] in modes:
            found.setdefault(row["driver"], {}).setdefault(row["seed"], {})[row["mode"]] = row
    found = {driver: {s: of for s, of in seeds.items() if len(of) == len(modes)} for driver, seeds in found.items()}
    return {driver: seeds for driver, seeds in found.items() if seeds}


def time_of(row):
    """Processor time until the run had explored everything, at most the limit."""
    return max(LEAST_TIME, min(row["cpu"], row["seconds"])) if row["ended"] else float(row["seconds"])


def median_time(seeds, mode):
    return statistics.median(time_of(of[mode]) for of in seeds)


def has_ended(seeds, mode):
    return sum(of[mode]["ended"] for of in seeds) * 2 > len(seeds)


def speed_up(seeds, mode, other):
    return median_time(seeds, other) / median_time(seeds, mode)


def more_lines(seeds, mode, other):
    """How many more lines are covered, %."""
    here, there = (statistics.median(of[m]["lines"] for of in seeds) for m in (mode, other))
    return 100.0 * (here / there - 1) if there else 0.0


def bootstrap(drivers, of):
    """The interval of the median of `of(seeds of a driver)`."""
    rng, everything, drawn = random.Random(1), list(drivers.values()), []
    for _ in range(RESAMPLES):
        sample = rng.choices(everything, k=len(everything))
        drawn.append(statistics.median(of(rng.choices(list(seeds.values()), k=len(seeds))) for seeds in sample))
    return interval(drawn)


def spread(drivers, of, text):
    """Cells: median with its interval, mean, smallest, largest."""
    if not drivers:
        return ["-"] * 4
    values = [of(list(seeds.values())) for seeds in drivers.values()]
    low, high = bootstrap(drivers, of)
    return ["%s (%s, %s)" % tuple(text % v for v in (statistics.median(values), low, high))] + [text % f(values) for f in (statistics.fmean, min, max)]


def considered(drivers, mode, other):
    """Those where times say something, and those where lines do."""
    ends = {d: [has_ended(seeds.values(), m) for m in (mode, other)] for d, seeds in drivers.items()}
    return {d: s for d, s in drivers.items() if any(ends[d])}, {d: s for d, s in drivers.items() if not all(ends[d])}


def drivers_of(rows, modes):
    return by_driver([r for r in rows if is_good(r)], modes)


def print_drivers(rows, labels):
    """One line for each driver: every mode's median."""
    labels = [m for m in labels if m in MODES] or labels
    head("driver", *["%s: s" % m for m in labels], *["%s of %s" % (what, ", ".join(labels)) for what in ("paths", "lines", "queries", "solver s")],
         "merges of " + ", ".join(m for m in labels if m != "base"), "by patterns", "quantified queries: by cases; procedure: reached, solved", "MB", "ledger")
    found = {}
    for row in rows:
        if is_good(row):
            found.setdefault(row["driver"], {}).setdefault(row["mode"], []).append(row)

    def middle(of, mode, name, text="%d"):
        return text % statistics.median(r[name] for r in of[mode]) if mode in of else "-"
    for driver, of in found.items():
        times = []
        for mode in labels:
            ended = mode in of and sum(r["ended"] for r in of[mode]) * 2 > len(of[mode])
            times.append("%.2f" % statistics.median(r["cpu"] for r in of[mode]) if ended else "cut off" if mode in of else "-")
        pat = "pat" if "pat" in of else labels[0]
        line([driver] + times + [", ".join(middle(of, m, name, text) for m in labels) for name, text in (("paths", "%d"), ("lines", "%d"), ("queries", "%d"), ("solver", "%.1f"))]
             + [", ".join(middle(of, m, "merges") for m in labels if m != "base"), middle(of, pat, "patterns"),
                "%s; %s, %s" % tuple(middle(of, pat, name) for name in ("by_cases", "quantified", "answered")), ", ".join(middle(of, m, "memory") for m in labels), middle(of, pat, "ledger")])


def print_endless(rows, labels):
    """Those of which only the lines say something."""
    labels = [m for m in labels if m in MODES]
    endless = [d for d, seeds in drivers_of(rows, labels).items() if not any(has_ended(seeds.values(), m) for m in labels)]
    if endless:
        print("\nCut off in every mode: %s." % ", ".join(endless))


def print_against(groups, other, mode="pat"):
    """One line for each subject: time and lines against another mode."""
    some = {name: drivers_of(rows, [mode, other]) for name, rows in groups.items()}
    some = {name: drivers for name, drivers in some.items() if drivers}
    if not some:
        return
    print("\n%s against %s" % (mode, other))
    head("subject", "drivers", "one ended", "speed-up, median", "mean", "smallest", "largest", "s less, sum", "one cut off", "lines %, median", "mean", "smallest", "largest")
    both = [(name, drivers) for name, drivers in some.items()]
    if len(some) > 1:
        both.append(("all", {(name, d): seeds for name, drivers in some.items() for d, seeds in drivers.items()}))
    for name, drivers in both:
        timed, lined = considered(drivers, mode, other)
        less = sum(median_time(s.values(), other) - median_time(s.values(), mode) for s in timed.values())
        line([name_of(name), str(len(drivers)), str(len(timed))] + spread(timed, lambda s: speed_up(s, mode, other), "%.2f") + ["%.1f" % less, str(len(lined))]
             + spread(lined, lambda s: more_lines(s, mode, other), "%.1f"))


def print_targets(groups):
    said = []

    def say(what, wanted, value):
        said.append([what, "%g" % wanted, "%.2f" % value, "reached" if value >= wanted else "**missed**"])
    everything = {}
    for other in ("cfg", "base"):
        for name, rows in groups.items():
            drivers = drivers_of(rows, ["pat", other])
            timed, _ = considered(drivers, "pat", other)
            everything.setdefault(other, []).extend(speed_up(list(s.values()), "pat", other) for s in timed.values())
            if other == "cfg" and timed:
                value = statistics.median(speed_up(list(s.values()), "pat", other) for s in timed.values())
                say("%s: median speed-up against cfg" % name_of(name), 2.0 if name in FASTER_THAN_CFG else 0.9, value)
    if everything.get("base"):
        say("all: median speed-up against base", 5.0, statistics.median(everything["base"]))
    pat = [r for rows in groups.values() for r in rows if is_good(r) and r["mode"] == "pat"]
    cases, asked, answered = (sum(r[name] for r in pat) for name in ("by_cases", "quantified", "answered"))
    if cases + asked:
        say("quantified queries that cases or the procedure solve without adding instances, %", 80.0, 100.0 * (cases + answered) / (cases + asked))
    if said:
        head("target", "wanted", "measured", "")
        for cells in said:
            line(cells)
    if asked:
        print("\nOf the %d quantified queries, %d were answered by cases. The procedure got %d and solved %d of them without adding instances." % (cases + asked, cases, asked, answered))


def print_capacities(rows, subject, sizes, seconds):
    """What a larger capacity does to the modes, and to pat against the others."""
    capacities = sorted({r["capacity"] for r in rows})
    if len(capacities) < 2:
        return
    print("\n### %s: capacities, %s sizes, %d s" % (name_of(subject), sizes, seconds))
    for other in ("cfg", "base"):
        if not any(r["mode"] == other for r in rows):
            continue
        print("\npat against %s" % other)
        head("capacity", "drivers", "ended: pat", other, "speed-up, median", "mean", "smallest", "largest", "lines %, median", "mean", "smallest", "largest")
        for capacity in capacities:
            drivers = drivers_of([r for r in rows if r["capacity"] == capacity], ["pat", other])
            timed, lined = considered(drivers, "pat", other)
            line([str(capacity), str(len(drivers))] + [str(sum(has_ended(s.values(), m) for s in drivers.values())) for m in ("pat", other)]
                 + spread(timed, lambda s: speed_up(s, "pat", other), "%.2f") + spread(lined, lambda s: more_lines(s, "pat", other), "%.1f"))


def print_tools(rows, labels):
    """Whole programs, which do not end: what is covered, and what is found, with each mode. Returns what of base's bugs merging lost."""
    head("tool", *["%s: ended" % m for m in labels], "paths of " + ", ".join(labels), *["sides, %s" % m for m in labels], *["%s against base, %%" % m for m in labels if m != "base"],
         "merges of " + ", ".join(m for m in labels if m != "base"), "bugs of " + ", ".join(labels))
    found, lost, differences = {}, [], {m: [] for m in labels if m != "base"}
    for row in rows:
        found.setdefault(row["driver"], {}).setdefault(row["mode"], []).append(row)
    for tool, of in found.items():
        middle = {m: {name: statistics.median(r[name] for r in of[m]) for name in ("paths", "sides", "merges", "bugs")} for m in labels if m in of}
        places = {m: {p for r in of[m] for p in r["bug_places"]} for m in middle}
        cells = [tool] + [of[m][0]["stop"] if m in middle else "-" for m in labels]
        cells.append(", ".join("%d" % middle[m]["paths"] if m in middle else "-" for m in labels))
        cells += ["%d" % middle[m]["sides"] if m in middle else "-" for m in labels]
        for mode in differences:
            if mode in middle and "base" in middle:
                differences[mode].append(100.0 * (middle[mode]["sides"] / max(1, middle["base"]["sides"]) - 1))
                lost += ["%s, %s: %s" % (tool, mode, p) for p in sorted(places["base"] - places[mode])]
                cells.append("%+.1f" % differences[mode][-1])
            else:
                cells.append("-")
        line(cells + [", ".join("%d" % middle[m]["merges"] if m in middle else "-" for m in differences), ", ".join("%d" % len(places[m]) if m in middle else "-" for m in labels)])
    for mode, values in differences.items():
        if values:
            print("\n%s against base: sides covered %+.1f %% (median), from %+.1f to %+.1f; more in %d tools, fewer in %d of %d."
                  % (mode, statistics.median(values), min(values), max(values), sum(v > 0 for v in values), sum(v < 0 for v in values), len(values)))
    return lost


def print_harm(lost, failed):
    """What merging must not do."""
    print()
    head("target", "wanted", "measured", "")
    line(["runs that fail", "0", str(len(failed)), "**missed**" if failed else "reached"])
    line(["bugs of base that another mode does not find", "0", str(len(lost)), "**missed**" if lost else "reached"])
    for text in lost:
        print("\nlost: " + text)


def print_table(rows):
    """Everything. Tables that are not about capacities have the smallest one of each subject."""
    good, usual = [r for r in rows if is_good(r)], {}
    for row in good:
        usual[row["subject"]] = min(row["capacity"], usual.get(row["subject"], row["capacity"]))
    for sizes, seconds, search in sorted({(r["sizes"], r["seconds"], r["search"]) for r in good}):
        here = [r for r in good if (r["sizes"], r["seconds"], r["search"]) == (sizes, seconds, search)]
        print("\n## %s sizes, %d s, %s, build %s, seeds %s" % (sizes, seconds, search, ", ".join(sorted({r["build"] for r in here})), ", ".join(str(s) for s in sorted({r["seed"] for r in here}))))
        labels = [m for m in MODES if any(r["mode"] == m for r in here)] + sorted({r["mode"] for r in here} - set(MODES))
        groups = {}
        for row in here:
            if row["capacity"] == usual[row["subject"]]:
                groups.setdefault(row["subject"], []).append(row)
        if "coreutils" in groups:
            print("\n### coreutils")
            print_harm(print_tools(groups.pop("coreutils"), labels), [r for r in rows if not is_good(r) and r["subject"] == "coreutils"])
        for subject, of in groups.items():
            print("\n### %s, capacity %d" % (name_of(subject), usual[subject]))
            print_drivers(of, labels)
            print_endless(of, labels)
        for other in ("cfg", "base"):
            print_against(groups, other)
        print_targets(groups)
        for label in [m for m in labels if m not in MODES]:
            print_against(groups, label)
        for subject in sorted({r["subject"] for r in here}):
            print_capacities([r for r in here if r["subject"] == subject], subject, sizes, seconds)
    for row in rows:
        if not is_good(row):
            print("\n%s %s, %s, %s sizes, capacity %d, seed %d: %s" % (row["subject"], row["driver"], row["mode"], row["sizes"], row["capacity"], row["seed"], row["failed"]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: mergetable.py FILE...", file=sys.stderr)
        sys.exit(2)
    print_table([json.loads(text) for path in sys.argv[1:] for text in open(path)])
