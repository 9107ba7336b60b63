# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a command writes to a terminal as its stderr, each version of a line that is rewritten alone: terminal.py COMMAND..."""
import os
import subprocess
import sys

ours, theirs = os.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
text = b""
while True:
    try:
        part = os.read(ours, 65536)
    except OSError:  # nobody has the other end any more
        break
    if not part:
        break
    text += part
sys.stdout.write(text.decode(errors="replace").replace("\r", "\n"))
sys.exit(child.wait())
