#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of `./dev bench psp --searches`: planted bugs and sides of branches over time, by search.

    searchtable.py FILE...      # what --results FILE left

Medians are over seeds. Pairs are of runs of the same program, seed and options; their intervals are of a bootstrap that draws programs, and of each its seeds.
"""
import json
import os
import random
import statistics
import sys

sys.dont_write_bytecode = True
from defertable import head, interval, line

MODES = ["psp", "covnew", "random-path", "pending"]
PARTS = (0.25, 0.5, 1)
RESAMPLES = 2000


def bugs_at(row, seconds):
    return sum(at <= seconds for at in row["bugs"].values())


def sides_at(row, seconds):
    return max((sides for at, sides in row["sides"] if at <= seconds), default=0)


def end_of(row):
    """A run looks at its time now and then, so it ends a little later than asked."""
    return max(row["seconds"], row["cpu"])


def at_part(row, part):
    return end_of(row) if part == 1 else part * row["seconds"]


def groups_of(rows):
    """{options: {program: {mode: {seed: row}}}}"""
    out = {}
    for row in rows:
        if "failed" not in row:
            options = row["seconds"], row["campaign"], row["theta"], row["seeded"]
            out.setdefault(options, {}).setdefault(row["program"], {}).setdefault(row["mode"], {})[row["seed"]] = row
    return out


def text_of(values):
    return "%g" % round(statistics.median(values), 1) if values else "-"


def over_time(of, what):
    """Medians after a quarter, a half and all of the time."""
    return ", ".join(text_of([what(row, at_part(row, part)) for row in of.values()]) for part in PARTS)


def print_programs(programs, modes):
    head("program", "planted", "found by any", "by a campaign", *["%s: bugs" % m for m in modes], *["%s: sides" % m for m in modes], *["only %s" % m for m in modes])
    for program, of in programs.items():
        found = {m: {b for row in of.get(m, {}).values() for b in row["bugs"]} for m in modes}
        campaign = {b for row in of.get("psp", {}).values() for b in row["campaign_bugs"]}
        rest = {m: set().union(*(found[o] for o in modes if o != m)) for m in modes}
        planted = next(row["planted"] for seeds in of.values() for row in seeds.values())
        line([program, str(planted), str(len(set().union(*found.values()))), str(len(campaign)) if "psp" in of else "-"]
             + [over_time(of.get(m, {}), bugs_at) for m in modes] + [over_time(of.get(m, {}), sides_at) for m in modes]
             + [", ".join(sorted(found[m] - rest[m], key=int)) or "-" for m in modes])


def print_totals(programs, modes):
    """Sums over the programs that every search has measured."""
    whole = [of for of in programs.values() if all(m in of for m in modes)]
    if not whole:
        return
    print("\nSums of the medians of %d program%s, after a quarter, a half and all of the time:" % (len(whole), "" if len(whole) == 1 else "s"))
    head("", *modes)
    for name, what in (("bugs", bugs_at), ("sides", sides_at)):
        line([name] + [", ".join("%g" % round(sum(statistics.median(what(r, at_part(r, part)) for r in of[m].values()) for of in whole), 1) for part in PARTS) for m in modes])
    line(["bugs of any seed"] + [str(sum(len({b for r in of[m].values() for b in r["bugs"]}) for of in whole)) for m in modes])


def print_pairs(programs, mode, other):
    pairs = {p: [(of[mode][s], of[other][s]) for s in of[mode] if s in of[other]] for p, of in programs.items() if mode in of and other in of}
    pairs = {p: of for p, of in pairs.items() if of}
    if not pairs:
        return
    everything = [pair for of in pairs.values() for pair in of]
    cells = ["%s against %s" % (mode, other), str(len(everything))]
    for what in (bugs_at, sides_at):
        values = [(what(a, end_of(a)), what(b, end_of(b))) for a, b in everything]
        rng, drawn = random.Random(1), []
        for _ in range(RESAMPLES):
            sample = [rng.choices(of, k=len(of)) for of in rng.choices(list(pairs.values()), k=len(pairs))]
            drawn.append(statistics.fmean(what(a, end_of(a)) - what(b, end_of(b)) for of in sample for a, b in of))
        cells += ["%d, %d, %d" % (sum(a > b for a, b in values), sum(a == b for a, b in values), sum(a < b for a, b in values)),
                  "%+.1f (%+.1f, %+.1f)" % (statistics.fmean(a - b for a, b in values), *interval(drawn))]
    line(cells)


def print_table(rows):
    for (seconds, campaign, theta, seeded), programs in sorted(groups_of(rows).items()):
        here = [row for of in programs.values() for seeds in of.values() for row in seeds.values()]
        modes = [m for m in MODES if any(m in of for of in programs.values())]
        print("## %d s of processor time (psp: %g of them for its campaign, theta %g)%s, seeds %s, build %s"
              % (seconds, campaign, theta, ", with seeds" if seeded else "", ", ".join(map(str, sorted({r["seed"] for r in here}))), ", ".join(sorted({r["build"] for r in here}))))
        print_programs(programs, modes)
        print_totals(programs, modes)
        if "psp" in modes and len(modes) > 1:
            print("\nIn how many pairs psp has more, equally many, and fewer; and the mean difference, with a 95 % interval:")
            head("", "pairs", "bugs: more, equal, fewer", "difference", "sides: more, equal, fewer", "difference")
            for other in modes[1:]:
                print_pairs(programs, "psp", other)
    for row in rows:
        if "failed" in row:
            print("\nfailed: %s, %s, seed %d: %s" % (row["program"], row["mode"], row["seed"], row["failed"]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("usage: searchtable.py FILE...", file=sys.stderr)
        sys.exit(2)
    print_table([json.loads(text) for path in sys.argv[1:] for text in open(path)])
