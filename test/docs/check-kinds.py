#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation has the kinds of bugs that the program has, with their CWE numbers.

    test/docs/check-kinds.py FATHOM [RESULTS-PAGE]

- docs/results.md: each kind that exploring or fuzzing reports has a row with its number, and no other kind has one.
- README.md and CHANGES.md say how many there are.
- docs/scan.md names each kind that scan reports.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBERS = {19: "nineteen", 20: "twenty", 21: "twenty-one", 22: "twenty-two", 23: "twenty-three", 24: "twenty-four"}


def main():
    kinds = json.loads(subprocess.check_output([sys.argv[1], "--describe-kinds"]))
    page = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs", "results.md")
    problems, documented = [], {}
    section = open(page).read().split("\n## Kinds of bugs\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        names = re.findall(r"`([a-z-]+)`", cells[0])
        if line.startswith("| `"):
            documented.update(zip(names, [int(n) for n in cells[1].split(",")]))
    wanted = {k["name"]: k["cwe"] for k in kinds if k["engine"]}
    for name in sorted(set(wanted) | set(documented)):
        if wanted.get(name) != documented.get(name):
            problems.append("%s: %s has CWE %s there and %s in the program" % (page, name, documented.get(name, "none"), wanted.get(name, "none")))
    for text in ("README.md", "CHANGES.md"):
        if NUMBERS[len(wanted)] + " kinds" not in open(os.path.join(ROOT, text)).read():
            problems.append("%s: expected \"%s kinds\" of bugs" % (text, NUMBERS[len(wanted)]))
    scan = open(os.path.join(ROOT, "docs", "scan.md")).read()
    problems += ["docs/scan.md: %s is not named" % k["name"] for k in kinds if k["scan"] and "`%s`" % k["name"] not in scan]
    print("\n".join(problems) if problems else "%d kinds" % len(kinds))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
