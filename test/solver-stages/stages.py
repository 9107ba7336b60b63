#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same exploration with each optimisation of the solver switched off, and with all of them: the same set of paths.

    test/solver-stages/stages.py TMP SOURCE...

A path is known by the branches that it takes and how it ends. (Its exit status may be another for each of its inputs.) Each exploration must be exhaustive, with nothing in its ledger.
(That the set is the right one is test/explore's to show: the same programs, against enumeration.)
"""
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test"))
from script import ASSUMPTIONS, BIN, test_folders

STAGES = ["witness", "ranges", "slicing", "cache", "external", "domains", "sat", "guided"]
VARIANTS = [[]] + [[s] for s in STAGES] + [STAGES]
SECONDS = 100  # for one exploration


def explore(program, out, off):
    """The set of paths, and what is wrong with the exploration."""
    command = [os.path.join(BIN, "fathom"), "explore", program, "-o", out, "--force", "--json", "-q"]
    for stage in off:
        command += ["--disable-solver-stage", stage]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return set(), "more than %d s" % SECONDS
    if done.returncode != 0:
        return set(), "status %d: %s" % (done.returncode, done.stderr.decode(errors="replace")[-300:])
    stats = json.loads(done.stdout)
    asked = {stage["name"]: stage["asked"] for stage in stats["solver_stages"]}
    wrong = ["stage %s was not off" % stage for stage in off if stage in asked]
    if stats["stop"] != "exhausted" or [e for e in json.load(open(out + "/ledger.json"))["entries"] if e["category"] not in ASSUMPTIONS]:
        wrong.append("not exhaustive: %s" % stats["stop"])
    paths = []
    for test in test_folders(out):
        path, end = json.load(open(test + "/path.json")), json.load(open(test + "/exit.json"))
        paths.append((path["hash"], path["branches"], end["end"]))
    if len(set(paths)) != len(paths):
        wrong.append("%d tests, %d paths" % (len(paths), len(set(paths))))
    return set(paths), "; ".join(wrong)


def main():
    tmp, sources = sys.argv[1], sys.argv[2:]
    failed = 0
    for source in sources:
        program, out = tmp + ".program", tmp + ".out"
        include = "-I" + os.path.join(ROOT, "test", "explore", "Inputs")
        subprocess.run([os.path.join(BIN, "fathom-cc"), "-g", "-w", include, source, "-o", program], check=True)
        expected, times = None, []
        for off in VARIANTS:
            started = time.monotonic()
            paths, wrong = explore(program, out, off)
            times.append("%.1f" % (time.monotonic() - started))
            expected = paths if expected is None else expected
            if paths != expected:
                wrong += " %d paths are missing, %d are new" % (len(expected - paths), len(paths - expected))
            if wrong:
                failed += 1
                print("%s without %s: %s" % (os.path.basename(source), ", ".join(off) or "nothing", wrong))
        print("%s: %d paths, seconds %s" % (os.path.basename(source), len(expected), " ".join(times)), flush=True)
    print("%d explorations, %d differ" % (len(VARIANTS) * len(sources), failed))


if __name__ == "__main__":
    main()
