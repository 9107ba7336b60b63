# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --resume has made of convergence.csv: the file before and after."""
import sys

before, after = (open(path).read() for path in sys.argv[1:])
rows = [line.split(",") for line in after.splitlines()]
print("the lines of before are there:", after.startswith(before))
print("lines were added:", len(after) > len(before) and after.endswith("\n") and all(len(row) == 3 for row in rows))
print("only the first moment of all is compared with nothing:", [i for i, row in enumerate(rows) if row[2] == "1.000000"] == [1])
executions = [int(row[0]) for row in rows[1:]]
print("executions ascend:", executions == sorted(set(executions)))
