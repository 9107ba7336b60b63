#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the database of a campaign against AFL++'s own files and against plain runs.

    check.py DIR VARIANT --unit N [--short N] [--total N] [--imported OTHER]

    units       numbered 0, 1, 2, ...; every complete one of exactly N executions of fuzzing stages, but for --short
                units in which something was killed
    stages      afl-fuzz has said the stage of every execution
    total       executions of all units together, when nothing was killed: as many as asked for, and as many as
                AFL++ counts, which leaves out those that only log comparisons
    elements    what some unit covers is exactly what the inputs that AFL++ kept cover when they run alone: AFL++
                keeps an input for every counter that is new
    imported    these inputs are those in the folder OTHER; all executions count as fuzzing
    blocks      a block is covered when, and only when, one of the counters that stand for it is
"""
import argparse
import glob
import os
import sqlite3
import subprocess
import sys
import tempfile


class Layout:
    def __init__(self, variant):
        text = open(variant + ".layout", errors="replace").read()
        lines = text[text.index("fathom-map-layout"):].split("\n")
        _, files, branches, blocks, _, sides, markers, _ = lines[0].split()
        self.sides, self.counters = int(sides), int(sides) + int(markers)
        first = 1 + int(files) + int(branches)
        self.blocks = []
        for line in lines[first:first + int(blocks)]:
            words = line.split()
            self.blocks.append([int(w) for w in words[4:4 + int(words[3])]])

    def elements(self, hit):
        return {c for c in hit if c < self.sides} | {
            self.sides + i for i, by in enumerate(self.blocks) if any(c in hit for c in by)}


def covered(blob, limit):
    if blob[:1] == b"b":
        return {i for i in range(8 * (len(blob) - 1)) if blob[1 + i // 8] >> i % 8 & 1}
    assert blob[:1] == b"g", "a set of an unknown form"
    out, following, gap, shift = set(), 0, 0, 0
    for byte in blob[1:]:
        gap |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            following += gap
            out.add(following)
            following, gap, shift = following + 1, 0, 0
    assert all(e < limit for e in out), "an element that there is not"
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("variant")
    parser.add_argument("--unit", type=int, required=True)
    parser.add_argument("--short", type=int, default=0)
    parser.add_argument("--total", type=int)
    parser.add_argument("--imported")
    options = parser.parse_args()
    layout = Layout(options.variant)
    db = sqlite3.connect(options.folder + "/campaign.db")
    limit = db.execute("select count(*) from element").fetchone()[0]
    assert limit == layout.sides + len(layout.blocks), "%d elements" % limit
    rows = db.execute(
        "select number, complete, fuzzing, covered, covered_apart, unknown, calibration + trimming + comparisons + sync, "
        "comparisons from unit order by number").fetchall()
    assert [r[0] for r in rows] == list(range(len(rows))), "units are missing: %s" % [r[0] for r in rows]
    assert all(r[1] for r in rows[:-1]), "a unit that is not complete before the last"
    short = [(r[0], r[2]) for r in rows if r[1] and r[2] != options.unit]
    assert len(short) <= options.short and all(n < options.unit for _, n in short), "units of another length: %s" % short
    assert not any(r[5] for r in rows), "executions of an unknown stage: %s" % [(r[0], r[5]) for r in rows if r[5]]
    assert any(r[6] for r in rows) == (not options.imported), "executions recorded apart: %s" % [r[6] for r in rows]
    total = sum(r[2] + r[6] for r in rows)
    if options.total:
        stats = dict(line.split(":", 1) for line in open(options.folder + "/afl/main/fuzzer_stats"))
        afl = int({k.strip(): v for k, v in stats.items()}["execs_done"])
        assert total == options.total, "%d executions recorded, %d asked for" % (total, options.total)
        # AFL++ does not count the execution that it is interrupted in.
        logged = sum(r[7] for r in rows)
        assert total - logged - 1 <= afl <= total + 1, "%d executions recorded, AFL++ counts %d" % (total, afl)
    found = set()
    for row in rows:
        found |= covered(row[3], limit) | covered(row[4], limit)
    hit = set()
    inputs = [f for kind in ("queue", "crashes*", "hangs*", "_resume") for f in
              glob.glob(glob.escape(options.imported or options.folder) + "/afl/*/%s/id:*" % kind)]
    with tempfile.TemporaryDirectory() as work:
        for name in inputs:
            path = os.path.join(work, "map")
            open(path, "wb").write(bytes(layout.counters))
            subprocess.run([options.variant], stdin=open(name, "rb"), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env={"FATHOM_MAP_FILE": path})
            hit |= {i for i, c in enumerate(open(path, "rb").read()) if c}
    alone = layout.elements(hit)
    assert len(alone) > 20, "the inputs cover next to nothing"
    assert found == alone, "recorded only: %s, alone only: %s" % (sorted(found - alone), sorted(alone - found))
    print("%d units, %d executions, %d elements agree with %d inputs" % (len(rows), total, len(found), len(inputs)))


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        print("check.py: %s" % wrong, file=sys.stderr)
        sys.exit(1)
