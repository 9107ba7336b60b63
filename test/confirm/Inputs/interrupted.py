# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupted.py SIGNAL COMMAND...: runs it, sends the signal (SIGINT, as Ctrl-C does) to its process group after three seconds, prints its output and `status N`."""
import os
import signal
import subprocess
import sys

child = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, start_new_session=True, text=True)
try:
    child.wait(timeout=3)
except subprocess.TimeoutExpired:
    os.killpg(child.pid, getattr(signal, sys.argv[1]))
out, _ = child.communicate(timeout=60)
print(out + "status %d" % child.returncode)
