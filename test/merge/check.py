#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores a program with and without merging: what it can do is the same, and replays agree.

    check.py FATHOM FATHOM-CC SOURCE SCRATCH [--fewer] [--lines] [OPTIONS OF EXPLORE]

The programs end in a branch for each result, so that the outputs of all tests are all that the program can do. --fewer: merging leaves
fewer paths, in both modes. --patterns N: with --merge pattern, so many groups at least get a quantified condition.
"""
import argparse
import json
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("fathom")
parser.add_argument("cc")
parser.add_argument("source")
parser.add_argument("scratch")
parser.add_argument("--fewer", action="store_true")
parser.add_argument("--patterns", type=int, default=0)
options, more = parser.parse_known_args()
binary = options.scratch + ".exe"
subprocess.run([options.cc, "-g", options.source, "-o", binary], check=True)


def explore(name, *flags):
    """The run's statistics, its behaviours and what it said."""
    out = "%s.%s" % (options.scratch, name)
    run = subprocess.run([options.fathom, "explore", binary, "-o", out, "--force", *flags, *more], stdin=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit("%s: status %d: %s" % (name, run.returncode, run.stderr))
    stats = json.load(open(out + "/stats.json"))
    ledger = json.load(open(out + "/ledger.json"))["entries"]
    if stats["stop"] != "exhausted" or ledger:
        sys.exit("%s: not all was explored: %s, %s" % (name, stats["stop"], ledger))
    listed = subprocess.run([options.fathom, "tests", out, "--extract", out + "/all"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if listed.returncode:
        sys.exit("%s: %s" % (name, listed.stdout))
    behaviours = set()
    for test in sorted(os.listdir(out + "/all")):
        folder = os.path.join(out, "all", test)
        expected = json.load(open(os.path.join(folder, "expected.json"))) if os.path.exists(os.path.join(folder, "expected.json")) else {}
        text = open(os.path.join(folder, "expected-stdout"), "rb").read() if os.path.exists(os.path.join(folder, "expected-stdout")) else b""
        behaviours.add((expected.get("end"), expected.get("status"), text))
    bugs = sorted((b["kind"], b["location"]) for b in json.load(open(out + "/bugs.json"))["bugs"]) if os.path.exists(out + "/bugs.json") else []
    replay = subprocess.run([options.fathom, "replay", binary, out], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)
    if replay.returncode or re.search(r"diverge", replay.stdout) and not re.search(r"\b0 of \d+ .*diverge|all .* agree", replay.stdout):
        sys.exit("%s: replay: %s" % (name, replay.stdout))
    return stats, behaviours, bugs, run.stderr


