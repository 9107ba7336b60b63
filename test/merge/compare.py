# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program can do, by an exploration, and what two explorations of it tell differently: for check.py and random-loops.py.

The programs end in a branch for each result, so the outputs of their tests are all that they can do.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from script import BIN, EXPLORE, SECONDS, test_folders


class Failed(Exception):
    """What is wrong, in words."""


def run(command):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failed("%s: no end within %d s" % (" ".join(command), SECONDS))


def build(source, program, *options):
    done = run([os.path.join(BIN, "fathom-cc"), "-g", *options, source, "-o", program])
    if done.returncode:
        raise Failed("%s does not compile: %s" % (source, done.stderr))


def read(path):
    return open(path, "rb").read() if os.path.exists(path) else b""


class Exploration:
    """What is left of one: what the program does, what was left out, and what the engine said."""

    def __init__(self, program, out, *options):
        done = run([*EXPLORE, program, "-o", out, "--force", *options])
        if done.returncode:
            raise Failed("status %d: %s" % (done.returncode, done.stderr))
        self.said = done.stderr
        self.stats = json.load(open(out + "/stats.json"))
        self.ledger = sorted((e["category"], e["location"]) for e in json.load(open(out + "/ledger.json"))["entries"])
        self.behaviours = behaviours(out)
        self.bugs = sorted(bug(os.path.join(out, "bugs", name, "bug.json")) for name in os.listdir(out + "/bugs"))

    def exhausted(self):
        return self.stats["stop"] == "exhausted"


def behaviours(out):
    found = set()
    for folder in test_folders(out):
        end = json.load(open(folder + "/exit.json"))
        if end["end"] != "bug":  # bugs are compared by themselves: several paths to one may be merged before it
            found.add((end["end"], end.get("status"), read(folder + "/stdout")))
    return found


def bug(path):
    report = json.load(open(path))
    return report["kind"], os.path.basename(report["file"]), report["line"]


def check_replay(program, out):
    done = run([os.path.join(BIN, "fathom"), "replay", program, out, "-q"])
    diverged = json.load(open(out + "/replay.json"))["divergence"]["diverged"]
    if diverged:
        raise Failed("%d tests diverge: %s%s" % (diverged, done.stdout, done.stderr))


def compare(plain, merged):
    """Whether merging changes what is found, or a merge is wrong."""
    if merged.behaviours != plain.behaviours:
        raise Failed("only without merging: %s; only with it: %s" %
                     (sorted(plain.behaviours - merged.behaviours), sorted(merged.behaviours - plain.behaviours)))
    if merged.bugs != plain.bugs:
        raise Failed("bugs are %s, without merging %s" % (merged.bugs, plain.bugs))
    if merged.ledger != plain.ledger:
        raise Failed("left out are %s, without merging %s" % (merged.ledger, plain.ledger))
    merges = merged.stats["merges"]
    if merges["wrong"]:
        raise Failed("%d of %d merges are wrong: %s" % (merges["wrong"], merges["checked"], merged.said))
