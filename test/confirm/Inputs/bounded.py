# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bounded.py SECONDS MEGABYTES COMMAND...: runs it; exit status 1 if it takes longer, or its largest process more memory of its own.

Pages of the file that is read are the kernel's: they are not counted (RssAnon)."""
import subprocess
import sys
import time

seconds, megabytes = float(sys.argv[1]), float(sys.argv[2])
child, began, peak = subprocess.Popen(sys.argv[3:]), time.time(), 0
while child.poll() is None:
    try:
        for line in open("/proc/%d/status" % child.pid):
            if line.startswith("RssAnon:"):
                peak = max(peak, int(line.split()[1]) / 1024)
    except OSError:
        pass
    if time.time() - began > seconds:
        child.kill()
        sys.exit("no end after %g s" % seconds)
    time.sleep(0.05)
if peak > megabytes:
    sys.exit("%.0f MB, more than %g" % (peak, megabytes))
sys.exit(child.returncode)
