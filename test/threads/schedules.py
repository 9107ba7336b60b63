#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program whose output depends on the schedule: each line that is printed when it is interpreted is one that the native program prints, too.

    test/threads/schedules.py SOURCE TMP RUNS

SOURCE takes a number, by which its threads dawdle. Natively it is run up to RUNS times with other numbers, on the kernel's schedule: on all processors, on
one, and with less right to them; interpreted with numbers from 0 to 11. Some
hundred native runs are enough when they show all that is interpreted. Prints both sets.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.join(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")), "bin")
INTERPRETED = 12
LEAST = 200


def lines(command):
    return set(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout.splitlines())


source, tmp, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
program = tmp + ".program"
subprocess.run([os.path.join(BIN, "fathom-cc"), "-g", "-w", "-pthread", source, "-o", program], check=True)
native, interpreted = set(), set()
for number in range(INTERPRETED):
    shutil.rmtree(tmp + ".out", ignore_errors=True)
    seen = lines([os.path.join(BIN, "fathom"), "explore", program, "-o", tmp + ".out", "-q", "--echo-output", "--concrete-stdin", "/dev/null",
                  "--", str(number)])
    if not seen:
        sys.exit("number %d: nothing was printed" % number)
    interpreted |= seen
for number in range(runs):
    if number >= LEAST and interpreted <= native:
        break
    perturbed = [[], ["taskset", "-c", "0"], ["nice", "-n", "5"]][number % 3]
    native |= lines([*perturbed, program, str(number)])
print("native:     ", ", ".join(sorted(native)))
print("interpreted:", ", ".join(sorted(interpreted)))
if interpreted - native:
    sys.exit("only when interpreted: %s" % ", ".join(sorted(interpreted - native)))
print("all of them are native ones")
