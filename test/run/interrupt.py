# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py DIR COMMAND...: sends one SIGINT as soon as the run in DIR has covered something; the run's text and status."""
import os
import signal
import subprocess
import sys
import time

folder, command = sys.argv[1], sys.argv[2:]
run = subprocess.Popen(command)
events = os.path.join(folder, "events.jsonl")
while run.poll() is None and not (os.path.exists(events) and '"event":"sides"' in open(events).read()):
    time.sleep(0.05)
run.send_signal(signal.SIGINT)
assert run.wait() == 130, run.returncode
