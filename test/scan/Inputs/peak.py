# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command, and fails if one of its processes takes more memory than so many MB at a time. Otherwise its exit status.

    peak.py MB COMMAND...
"""
import resource
import subprocess
import sys

limit = int(sys.argv[1])
status = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
if peak > limit:
    sys.exit("%d MB, more than %d: %s" % (peak, limit, " ".join(sys.argv[2:])))
sys.exit(status)
