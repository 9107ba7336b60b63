#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py SIGNAL TIMES COMMAND...: runs a command in a session of its own, as a terminal does with a job, sends the
signal to all of it after three seconds (TIMES times, in quick succession: that is one wish), and prints how it ended."""
import os
import signal
import subprocess
import sys
import time

number, times, command = getattr(signal, sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
# A shell in the background ignores SIGINT, and its children would.
signal.signal(signal.SIGINT, signal.SIG_DFL)
run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       start_new_session=True)
time.sleep(3)
for _ in range(times):
    os.killpg(run.pid, number)
    time.sleep(0.05)
sent = time.monotonic()
try:
    status = run.wait(60)
except subprocess.TimeoutExpired:
    os.killpg(run.pid, signal.SIGKILL)
    status = run.wait()
    print("still running after 60 s")
print("exit status %d" % status)
