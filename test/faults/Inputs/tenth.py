#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tenth.py FAULT.PY PROGRAM OUT BUDGET [options]: explores breadth first without a bound on memory, and with one of BUDGET MB."""
import subprocess
import sys

fault, program, out, budget = sys.argv[1:4] + [int(sys.argv[4])]


def explore(name, *more):
    command = [fault, program, out, "--memory", "--", "--search", "bfs", *sys.argv[5:], *more]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    print("%s: %s" % (name, lines[0]))
    memory = int(lines[-1].split()[1])
    print("  %s, %d MB" % (lines[1], memory))
    return memory


unbounded = explore("unbounded", "--max-memory", "100G")
bounded = explore("bounded", "--max-memory", "%dM" % budget)
print("at least ten times the budget:", "yes" if unbounded >= 10 * budget else "no")
print("never more than the budget and a tenth:", "yes" if bounded <= 1.1 * budget else "no")
