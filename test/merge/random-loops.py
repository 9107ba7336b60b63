#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, explored without merging and with it: merging changes nothing of what is found.

    test/merge/random-loops.py TMP [--seeds FROM-TO]

The programs are those of Inputs/random_loops.py. Outputs and ends of tests are the same in each of MODES as without merging, and so are
bugs (by kind and line) and the ledger; Z3 finds no merge that is wrong, and tests do natively what they say.

Without --seeds, the programs are those of SEEDS, of which each has to be checked, with something merged. Of others, those with more than
MOST_PATHS paths without merging are left out, and modes that take longer than MOST_TIME; both are said.

A program that fails is explained with what one needs to see it again; its files are in TMP.SEED. Exit status 1 when some failed.
"""
import argparse
import os
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
from compare import Exploration, Failed, build, check_replay, compare
from random_loops import Program

# Programs with few paths that are quick to explore; between them they have markers, two calls, nested loops, blocks of symbolic size,
# and bugs.
SEEDS = [11, 12, 16, 18, 20, 21, 22]
MODES = [
    ["--merge", "cfg", "--merge-always"],
    ["--merge", "pattern", "--merge-always"],
    ["--merge", "pattern", "--merge-fallback", "none"],
]
MOST_PATHS = 300
MOST_TIME = "30s"
MOST_INSTRUCTIONS = "100000000"


class LeftOut(Exception):
    """Why a program is not compared."""


def explore(program, out, *options):
    run = Exploration(program, out, *options)
    if not run.exhausted():
        raise LeftOut("stopped: " + run.stats["stop"])
    check_replay(program, out)
    return run


def write_program(seed, folder):
    """The compiled program of a seed, and the options that it is explored with."""
    os.makedirs(folder, exist_ok=True)
    made = Program(seed)
    source, program = os.path.join(folder, "program.c"), os.path.join(folder, "program")
    with open(source, "w") as out:
        out.write(made.source())
    build(source, program, "-w")
    return program, made.options


def check(seed, folder, *limits):
    """Compares one program in all modes; how many merges were checked, and how many patterns there are."""
    program, options = write_program(seed, folder)
    plain = explore(program, os.path.join(folder, "none"), *options, *limits)
    if plain.stats["paths_completed"] > MOST_PATHS:
        raise LeftOut("%d paths" % plain.stats["paths_completed"])
    found = Counter(programs=1)
    for number, mode in enumerate(MODES, 1):
        how = [*options, *mode, "--check-merges", "--explain-merges"]
        try:
            merged = explore(program, os.path.join(folder, "mode%d" % number), *how, *limits)
            compare(plain, merged)
        except (Failed, LeftOut) as why:
            raise type(why)("with %s: %s" % (" ".join(how), why))
        found.update(merges=merged.stats["merges"]["checked"], patterns=merged.stats["merges"]["patterns"])
    return found


def check_fixed(seed, folder):
    """The same for one of SEEDS, limited by steps and not by time, queries too: a busy machine does not change what is tested."""
    try:
        found = check(seed, folder, "--max-instructions", MOST_INSTRUCTIONS)
    except LeftOut as why:
        raise Failed(why)
    if not found["merges"]:
        raise Failed("nothing was merged")
    return found


def check_any(seed, folder):
    try:
        return check(seed, folder, "--max-time", MOST_TIME)
    except LeftOut as why:
        print("program %d is left out: %s" % (seed, why), flush=True)
        return Counter(left_out=1)


def numbers(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tmp")
    parser.add_argument("--seeds", type=numbers)
    options = parser.parse_args()
    total = Counter()
    for seed in options.seeds or SEEDS:
        folder = "%s.%d" % (options.tmp, seed)
        try:
            total += check_any(seed, folder) if options.seeds else check_fixed(seed, folder)
        except Failed as why:
            total["failed"] += 1
            print("program %d: %s" % (seed, why))
            print("  its files are in %s; again: test/merge/random-loops.py TMP --seeds %d-%d" % (folder, seed, seed), flush=True)
    print("%(programs)d programs agree, %(failed)d failed, %(left_out)d left out; %(merges)d merges, %(patterns)d patterns" % total)
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
