# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""crashed.py [--after SECONDS] COMMAND...: runs fathom confirm, and kills a process of it that takes longer than so many seconds (2) as a fault would."""
import os
import signal
import subprocess
import sys
import time


def child_of(pid):
    """(pid, seconds since it began) of a process that it started, or None."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = open("/proc/%s/stat" % entry).read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            uptime = float(open("/proc/uptime").read().split()[0])
            return int(entry), uptime - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    return None


command, after = sys.argv[1:], 2.0
if command[0] == "--after":
    after, command = float(command[1]), command[2:]
fathom, killed = subprocess.Popen(command), False
while fathom.poll() is None:
    child = child_of(fathom.pid)
    if child and child[1] > after and not killed:
        os.kill(child[0], signal.SIGSEGV)
        killed = True
    time.sleep(0.1)
sys.exit(fathom.returncode if killed else "no report took so long")
