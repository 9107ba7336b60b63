#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores a program without merging and with it: what it can do is the same, and replays agree.

    test/merge/check.py PROGRAM.c TMP [--patterns N] [--fallback] [--cc OPTION]... [-- OPTIONS OF EXPLORE]

The programs end in a branch for each result, so the outputs of their tests are all that they can do. Bugs have to be the same, by kind
and line, and nothing may be left out, with one worker and with two. Something is merged, and Z3 finds nothing wrong with it; --patterns:
with --merge pattern at least N groups of paths get a quantified condition; --fallback: paths without a pattern are merged as well.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from compare import Exploration, Failed, build, check_replay, compare
from script import split_arguments


def explore(program, out, *options):
    """An exploration that leaves nothing out, and whose tests do natively what they say."""
    run = Exploration(program, out, *options)
    if not run.exhausted() or run.ledger:
        raise Failed("not all was explored: %s, %s" % (run.stats["stop"], run.ledger))
    check_replay(program, out)
    return run


def check_merges(merged, patterns):
    """Whether there are merges, of which most were checked, and at least this many patterns."""
    merges = merged.stats["merges"]
    if not merges["checked"]:
        raise Failed("nothing was merged")
    if 2 * merges["open_questions"] > merges["checked"]:
        raise Failed("Z3 left %d questions open about %d merges" % (merges["open_questions"], merges["checked"]))
    if merges["patterns"] < patterns:
        raise Failed("%d patterns, expected %d: %s" % (merges["patterns"], patterns, merged.said))


def main():
    own, more = split_arguments()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("tmp")
    parser.add_argument("--patterns", type=int, default=0)
    parser.add_argument("--fallback", action="store_true")
    parser.add_argument("--cc", action="append", default=[])
    options = parser.parse_args(own)
    program, mode = options.tmp + ".program", "none"
    try:
        build(options.program, program, *options.cc)
        plain = explore(program, options.tmp + ".none", *more)
        for merge, jobs in (("cfg", "1"), ("pattern", "1"), ("pattern", "2")):
            # With two workers, loops are left whose paths are told apart again: here, by what the results tell.
            always = ["--merge-always"] if jobs == "1" else []
            mode = " ".join(["--merge", merge, "--jobs", jobs] + always)
            fallback = ["--merge-fallback", "cfg"] if options.fallback and merge == "pattern" else []
            merged = explore(program, options.tmp + "." + merge + jobs, "--merge", merge, "--jobs", jobs, "--explain-merges",
                             "--check-merges", *always, *fallback, *more)
            compare(plain, merged)
            check_merges(merged, options.patterns if merge == "pattern" else 0)
            print("%s: %d of %d paths, %d patterns" % (mode, merged.stats["paths_completed"], plain.stats["paths_completed"],
                                                       merged.stats["merges"]["patterns"]))
    except Failed as failure:
        sys.exit("%s: %s" % (mode, failure))


if __name__ == "__main__":
    main()
