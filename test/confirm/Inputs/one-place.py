# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one-place.py FILE ID: XML in cppcheck's form with an error of this id at each line that is marked with REPORT, and nothing else about it."""
import sys

path, rule = sys.argv[1:]
print('<?xml version="1.0" encoding="UTF-8"?>\n<results version="2">\n    <cppcheck version="2.10"/>\n    <errors>')
for number, line in enumerate(open(path), 1):
    if line.rstrip().endswith("// REPORT"):
        print('        <error id="%s" severity="error" msg="m" verbose="m"><location file="%s" line="%d" column="%d"/></error>'
              % (rule, path, number, line.index("return") + 1))
print("    </errors>\n</results>")
