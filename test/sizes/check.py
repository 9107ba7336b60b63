#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of symbolic length: what a program does with all lengths at once is what it does with each of them.

    test/sizes/check.py PROGRAM.c TMP MOST [--concretizes] [--merges] [-- ARGUMENTS OF THE PROGRAM]

SIZE among the arguments stands for the length of an input. The program is explored with MOST there and --memory symbolic-size, with one
worker and with two, after a stop, and along its own tests as seeds, and without the option for each length up to MOST. The outputs and ends of all tests are the same,
and so are the kinds of bugs; nothing is left out (--concretizes: but sizes may take one value), native runs agree, and each test has an
input for each length. --merges: the same with --merge cfg and pattern, where something is merged.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from script import ASSUMPTIONS, BIN, EXPLORE, SECONDS, split_arguments, test_folders


def read(path):
    return open(path, "rb").read() if os.path.exists(path) else b""


class Run:
    """What a program does: ends and outputs, kinds of bugs, and how many bytes of input tests have."""

    def __init__(self, program, out, arguments, *more, allowed=(), stops=("exhausted",)):
        run = subprocess.run([*EXPLORE, program, "-o", out, *more, "--", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
        if run.returncode:
            sys.exit("%s: status %d: %s" % (" ".join(more), run.returncode, run.stdout))
        self.stats = json.load(open(out + "/stats.json"))
        if self.stats["stop"] not in stops:
            sys.exit("%s: not all was explored: %s" % (" ".join(more), self.stats["stop"]))
        left_out = [entry for entry in json.load(open(out + "/ledger.json"))["entries"] if entry["category"] not in (*ASSUMPTIONS, *allowed)]
        if left_out:
            sys.exit("%s: %s" % (" ".join(more), left_out))
        self.behaviours, self.sizes = set(), set()
        for folder in test_folders(out):
            end = json.load(open(folder + "/exit.json"))
            if end["end"] in ("bug", "partial"):
                continue
            self.behaviours.add((end["end"], end.get("status"), read(folder + "/stdout")))
            self.sizes.add(self.input_size(folder))
        self.bugs = sorted(json.load(open(os.path.join(out, "bugs", b, "bug.json")))["kind"] for b in os.listdir(out + "/bugs"))
        subprocess.run([os.path.join(BIN, "fathom"), "replay", program, out, "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=SECONDS)
        divergence = json.load(open(out + "/replay.json"))["divergence"]
        if divergence["diverged"]:
            sys.exit("%s: tests diverge: %s" % (" ".join(more), divergence))

    @staticmethod
    def input_size(folder):
        size = len(read(folder + "/stdin")) + len(read(folder + "/files/A"))
        return size + sum(len(argument) // 2 for argument in json.load(open(folder + "/args.json"))["args_hex"])


def main():
    own, arguments = split_arguments()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("tmp")
    parser.add_argument("most", type=int)
    parser.add_argument("--concretizes", action="store_true")
    parser.add_argument("--merges", action="store_true")
    options = parser.parse_args(own)
    program = options.tmp + ".program"
    subprocess.run([os.path.join(BIN, "fathom-cc"), "-g", options.program, "-o", program], check=True)

    def with_size(size):
        return [str(size) if word == "SIZE" else word for word in arguments]

    each = [Run(program, "%s.%d" % (options.tmp, size), with_size(size), "--force") for size in range(options.most + 1)]
    wanted = set().union(*(run.behaviours for run in each))
    bugs = sorted(set().union(*(run.bugs for run in each)))
    allowed = ("concretized-value",) if options.concretizes else ()
    sized = ("--memory", "symbolic-size=64")
    modes = [("--jobs", "1"), ("--jobs", "2")]
    if options.merges:
        modes += [("--merge", "cfg", "--check-merges"), ("--merge", "pattern", "--check-merges"), ("--merge", "pattern", "--jobs", "2")]
    runs = [Run(program, "%s.all.%d" % (options.tmp, i), with_size(options.most), "--force", *sized, *mode, allowed=allowed)
            for i, mode in enumerate(modes)]
    names = [" ".join(mode) for mode in modes]
    first, tests = runs[0], options.tmp + ".seeds"
    test_folders(options.tmp + ".all.0", tests)
    more = options.tmp + ".more"  # stopped half way, and resumed
    Run(program, more, with_size(options.most), "--force", *sized, "--max-instructions", str(first.stats["instructions"] * 2 // 3),
        allowed=(*allowed, "dropped-state"), stops=("max-instructions", "exhausted"))
    runs.append(Run(program, more, with_size(options.most), "--resume", *sized, allowed=allowed))
    runs.append(Run(program, options.tmp + ".seeded", with_size(options.most), "--force", *sized, "--seeds", tests, "--only-seeds",
                    allowed=(*allowed, "bound-seeds")))
    names += ["--resume", "--seeds"]
    for name, run in zip(names, runs):
        missing, more = wanted - run.behaviours, run.behaviours - wanted
        if more or (missing and not options.concretizes):
            sys.exit("%s: only with one length at a time: %s; only with all: %s" % (name, sorted(missing), sorted(more)))
        if sorted(set(run.bugs)) != bugs and name != "--seeds":
            sys.exit("%s: bugs are %s, with one length at a time %s" % (name, run.bugs, bugs))
        if "--merge" in name and not run.stats["merges"]["paths"]:
            sys.exit("%s: nothing was merged" % name)
        if run.stats["merges"]["wrong"]:
            sys.exit("%s: %d merges are wrong" % (name, run.stats["merges"]["wrong"]))
        print("%s: %d paths, %d with one length at a time" % (name, run.stats["paths_completed"], sum(r.stats["paths_completed"] for r in each)))
    least = min(each[0].sizes)  # what is not symbolic
    if not options.merges and first.sizes != {least + size for size in range(options.most + 1)}:
        sys.exit("inputs have %s bytes, expected each number from %d to %d" % (sorted(first.sizes), least, least + options.most))


main()
