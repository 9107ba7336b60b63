#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores, kills the coordinator or a worker at random moments, resumes, and so on until the run ends by itself.

    kill-and-resume.py FATHOM PROGRAM OUT KILLS [options of fathom explore]

Prints how the run ended, and how many tests there are, all of other paths.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

fathom, program, out, kills = sys.argv[1:4] + [int(sys.argv[4])]
options = sys.argv[5:]
rng = random.Random(kills)


def explore(*more):
    command = [fathom, "explore", program, "-o", out, "-q", "--checkpoint", "20ms", *options, *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


shutil.rmtree(out, ignore_errors=True)
run = explore()
killed = 0
while True:
    if killed < kills:
        time.sleep(rng.uniform(0.04, 0.15))
        if run.poll() is None:
            killed += 1
            children = open("/proc/%d/task/%d/children" % (run.pid, run.pid)).read().split()
            if rng.random() < 0.4 and children:
                os.kill(int(rng.choice(children)), rng.choice([signal.SIGKILL, signal.SIGSEGV]))
                continue  # the coordinator goes on
            run.kill()
    error = run.communicate(timeout=100)[1]
    if run.returncode == 0:
        break
    if run.returncode == 2 and "holds no run" in error:  # killed before it had begun
        run = explore()
    elif run.returncode == -signal.SIGKILL:
        run = explore("--resume")
    else:
        sys.exit("status %d: %s" % (run.returncode, error))

stats = json.load(open(out + "/stats.json"))
names = sorted(os.listdir(out + "/tests"))
paths = {json.load(open("%s/tests/%s/path.json" % (out, name)))["path"] for name in names}
ledger = json.load(open(out + "/ledger.json"))["entries"]
print("stop", stats["stop"], "tests", len(names), "paths", len(paths), "ledger", len(ledger))
print("killed", killed, file=sys.stderr)
