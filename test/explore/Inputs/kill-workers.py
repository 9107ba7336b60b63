#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores with two workers, kills one of them with SIGKILL whenever a twentieth of a second has passed, three times.

    kill-workers.py FATHOM PROGRAM OUT

Prints the statistics that the run ended with.
"""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
from testfolders import tests_of

fathom, program, out = sys.argv[1:]
run = subprocess.Popen([fathom, "explore", program, "-o", out, "--force", "--json", "-q", "--jobs", "2"], stdout=subprocess.PIPE)
killed = 0
for _ in range(200):
    time.sleep(0.05)
    children = open("/proc/%d/task/%d/children" % (run.pid, run.pid)).read().split() if run.poll() is None else []
    if len(children) < 2 or killed == 3:
        continue
    os.kill(int(children[killed % 2]), signal.SIGKILL)
    killed += 1
stats = json.loads(run.communicate(timeout=100)[0])
print("killed", killed, "status", run.returncode, "stop", stats["stop"], "paths", stats["paths_completed"], "tests", len(tests_of(out)), "ledger",
      len(json.load(open(out + "/ledger.json"))["entries"]))
