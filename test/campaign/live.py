#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""live.py COMMAND...: what the command shows on a terminal while it runs. Before anything is measured, the line says so; afterwards
it has what the executions so far cover, although no sampling unit is complete."""
import os
import pty
import re
import subprocess
import sys

master, slave = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=slave, stdout=subprocess.DEVNULL, env=dict(os.environ, TERM="xterm", COLUMNS="200"))
os.close(slave)
shown = b""
while True:
    try:
        data = os.read(master, 65536)
    except OSError:  # the other side is closed
        break
    if not data:
        break
    shown += data
status = process.wait()
lines = [line for line in re.split(r"[\r\n]|\x1b\[K", shown.decode(errors="replace")) if " runs (" in line]
covered = [int(n) for line in lines for n in re.findall(r"(\d+)/\d+ sides", line)]
if status or not lines or any("sides" not in line and "measuring coverage" not in line for line in lines):
    sys.exit("exit status %d: %s" % (status, lines))
if not covered or min(covered) == 0:
    sys.exit("no coverage: %s" % lines)
print("covered before the first unit ends: %d" % covered[0])
