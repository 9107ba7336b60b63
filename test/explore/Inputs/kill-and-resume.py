#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores, kills the coordinator or a worker at random moments, resumes, and so on until the run ends by itself.

    kill-and-resume.py FATHOM PROGRAM OUT KILLS [options of fathom explore]

Prints how the run ended, and how many tests there are, all of other paths. A test that was there after a kill is there, unchanged, after all
that follows: that is checked too. With more kills than one run lasts it is done again, into an empty folder, until there were so many.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
from testfolders import tests_of

fathom, program, out, kills = sys.argv[1:4] + [int(sys.argv[4])]
options = sys.argv[5:]
rng = random.Random(kills)


def explore(*more):
    command = [fathom, "explore", program, "-o", out, "-q", "--checkpoint", "20ms", *options, *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished():
    """The tests that are whole, and what each is the test of."""
    return {t["dir"]: t for t in tests_of(out)} if os.path.exists(out + "/run.json") else {}


def until_it_ends(kills):
    """Explores, with at most so many kills; returns their number."""
    shutil.rmtree(out, ignore_errors=True)
    run = explore()
    killed, kept = 0, {}
    while True:
        if killed < kills:
            time.sleep(rng.uniform(0.04, 0.15))
            if run.poll() is None:
                children = open("/proc/%d/task/%d/children" % (run.pid, run.pid)).read().split()
                if rng.random() < 0.4 and children:
                    killed += 1
                    os.kill(int(rng.choice(children)), rng.choice([signal.SIGKILL, signal.SIGSEGV]))
                    continue  # the coordinator goes on
                run.kill()
        error = run.communicate(timeout=100)[1]
        if run.returncode == -signal.SIGKILL:
            killed += 1
            now = finished()
            lost = [name for name, test in kept.items() if now.get(name) != test]
            if lost:
                sys.exit("after %d kills these tests are gone or others: %s" % (killed, lost[:9]))
            kept = now
            run = explore("--resume")
        elif run.returncode == 2 and "holds no run" in error:  # killed before it had begun
            run = explore()
        elif run.returncode == 0:
            break
        else:
            sys.exit("status %d: %s" % (run.returncode, error))
    now = finished()
    if any(now.get(name) != test for name, test in kept.items()):
        sys.exit("tests are gone")
    return killed


killed = 0
while True:
    more = until_it_ends(kills - killed)
    killed += more
    stats = json.load(open(out + "/stats.json"))
    tests = tests_of(out)
    paths = {test["path"] for test in tests}
    if [test["number"] for test in tests] != list(range(1, len(tests) + 1)):
        sys.exit("the numbers of the tests have gaps")
    ledger = json.load(open(out + "/ledger.json"))["entries"]
    result = "stop %s tests %d paths %d ledger %d" % (stats["stop"], len(tests), len(paths), len(ledger))
    print(result)
    if killed >= kills or not more:
        break
print("killed", killed)
