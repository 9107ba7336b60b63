#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every query of a log, answered by `fathom solve` as the log says.

    solve-log.py LOG TEMPORARY.smt2 FATHOM

Queries that were not decided are left out. Prints how many answers are the same and how many are not.
"""
import re
import subprocess
import sys

log, single, fathom = sys.argv[1:]
same = different = 0
for query in re.split(r"(?m)^(?=; query )", open(log).read()):
    expected = re.match(r"; query .*expected (sat|unsat)\n\(reset\)\n", query)
    if not expected:
        continue
    open(single, "w").write(query[expected.end():])
    done = subprocess.run([fathom, "solve", single, "--timeout", "60s"], stdout=subprocess.PIPE, timeout=90)
    if done.stdout.decode().split()[:1] == [expected[1]]:
        same += 1
    else:
        different += 1
        print("expected %s, got %s%s" % (expected[1], done.stdout.decode(), query[:2000]))
print("%d answered as before, %d otherwise" % (same, different))
