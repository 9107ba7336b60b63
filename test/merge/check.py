#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores a program without merging and with it: what it can do is the same, and replays agree.

    test/merge/check.py PROGRAM.c TMP [--patterns N] [--fallback] [--cc OPTION]... [-- OPTIONS OF EXPLORE]

The programs end in a branch for each result, so the outputs of their tests are all that they can do. Bugs have to be the same, and
nothing may be left out, with one worker and with two. Something is merged, and Z3 finds nothing wrong with it; --patterns: with --merge pattern at least N groups of paths get a
quantified condition; --fallback: paths without a pattern are merged as well.
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from script import BIN, EXPLORE, SECONDS, split_arguments, test_folders


def read(path):
    return open(path, "rb").read() if os.path.exists(path) else b""


def explore(program, out, *more):
    run = subprocess.run([*EXPLORE, program, "-o", out, "--force", *more], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=SECONDS)
    if run.returncode:
        sys.exit("%s: status %d: %s" % (" ".join(more), run.returncode, run.stderr))
    stats = json.load(open(out + "/stats.json"))
    ledger = json.load(open(out + "/ledger.json"))["entries"]
    if stats["stop"] != "exhausted" or ledger:
        sys.exit("%s: not all was explored: %s, %s" % (" ".join(more), stats["stop"], ledger))
    behaviours = set()
    for folder in test_folders(out):
        end = json.load(open(folder + "/exit.json"))
        if end["end"] != "bug":  # bugs are compared by themselves: several paths to one may be merged before it
            behaviours.add((end["end"], end.get("status"), read(folder + "/stdout")))
    replay = subprocess.run([os.path.join(BIN, "fathom"), "replay", program, out, "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
    divergent = json.load(open(out + "/replay.json"))["divergence"]["diverged"]
    if divergent:
        sys.exit("%s: %d tests diverge: %s" % (" ".join(more), divergent, replay.stdout))
    bugs = sorted(re.sub(r"/.*/", "", json.load(open(os.path.join(out, "bugs", b, "bug.json")))["kind"]) for b in os.listdir(out + "/bugs"))
    return stats, behaviours, bugs, run.stderr


def main():
    own, more = split_arguments()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("tmp")
    parser.add_argument("--patterns", type=int, default=0)
    parser.add_argument("--fallback", action="store_true")
    parser.add_argument("--cc", action="append", default=[])
    options = parser.parse_args(own)
    program = options.tmp + ".program"
    subprocess.run([os.path.join(BIN, "fathom-cc"), "-g", *options.cc, options.program, "-o", program], check=True)
    plain, wanted, bugs, _ = explore(program, options.tmp + ".none", *more)
    for mode, jobs in (("cfg", "1"), ("pattern", "1"), ("pattern", "2")):
        # With two workers, loops are left whose paths are told apart again: here, by what the results tell.
        always = ["--merge-always"] if jobs == "1" else []
        name = " ".join(["--merge", mode, "--jobs", jobs] + always)
        fallback = ["--merge-fallback", "cfg"] if options.fallback and mode == "pattern" else []
        stats, got, found, said = explore(program, options.tmp + "." + mode + jobs, "--merge", mode, "--jobs", jobs, "--explain-merges",
                                           "--check-merges", *always, *fallback, *more)
        if got != wanted:
            sys.exit("%s: only without merging: %s; only with it: %s" % (name, sorted(wanted - got), sorted(got - wanted)))
        if found != bugs:
            sys.exit("%s: bugs are %s, without merging %s" % (name, found, bugs))
        merges = stats["merges"]
        if not merges["checked"]:
            sys.exit("%s: nothing was merged" % name)
        if merges["wrong"]:
            sys.exit("%s: %d of %d merges are wrong: %s" % (name, merges["wrong"], merges["checked"], said))
        if 2 * merges["open_questions"] > merges["checked"]:
            sys.exit("%s: Z3 left %d questions open about %d merges" % (name, merges["open_questions"], merges["checked"]))
        patterns = merges["patterns"]
        if mode == "pattern" and patterns < options.patterns:
            sys.exit("%s: %d patterns, expected %d: %s" % (name, patterns, options.patterns, said))
        print("%s: %d of %d paths, %d patterns" % (name, stats["paths_completed"], plain["paths_completed"], patterns))


main()
