# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""until-judged.py DIR COMMAND...: runs a command of fathom run that writes to DIR, and interrupts it (Ctrl-C) once all reports are judged."""
import json
import os
import signal
import subprocess
import sys
import time

events = os.path.join(sys.argv[1], "events.jsonl")
run = subprocess.Popen(sys.argv[2:])


def is_judged():
    if not os.path.exists(events):
        return False
    lines = [line for line in open(events) if line.endswith("\n")]
    return any(e["event"] == "ended" and e["by"] == "confirm" for e in map(json.loads, lines))


while run.poll() is None and not is_judged():
    time.sleep(0.1)
if run.poll() is None:
    run.send_signal(signal.SIGINT)
    sys.exit(0 if run.wait() == 130 else 1)
sys.exit(run.wait())
