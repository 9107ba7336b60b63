#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation has the kinds of bugs that the program has, with their CWE numbers.

    test/docs/check-kinds.py FATHOM [RESULTS-PAGE] [--write]

- docs/results.md: the table of kinds is that of the program; --write brings it up to date.
- README.md and CHANGES.md say how many there are.
- docs/scan.md names each kind that scan reports.
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBERS = {19: "nineteen", 20: "twenty", 21: "twenty-one", 22: "twenty-two", 23: "twenty-three", 24: "twenty-four"}


HEAD = ["| kind | CWE | reported when |", "|---|---|---|"]


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    kinds = json.loads(subprocess.check_output([arguments[0], "--describe-kinds"]))
    page = arguments[1] if len(arguments) > 1 else os.path.join(ROOT, "docs", "results.md")
    problems = []
    engine = [k for k in kinds if k["engine"]]
    wanted = HEAD + ["| `%(name)s` | %(cwe)d | %(condition)s |" % k for k in engine]
    text = open(page).read()
    section = text.split("\n## Kinds of bugs\n")[1].split("\n## ")[0]
    documented = [line for line in section.splitlines() if line.startswith("|")]
    if documented != wanted:
        if "--write" in sys.argv:
            open(page, "w").write(text.replace("\n".join(documented), "\n".join(wanted)))
        else:
            problems += ["%s: missing: %s" % (page, line) for line in wanted if line not in documented]
            problems += ["%s: not in the program: %s" % (page, line) for line in documented if line not in wanted]
            problems += ["%s: kinds are not in the order of the program" % page] * (not problems)
    for file in ("README.md", "CHANGES.md"):
        if NUMBERS[len(engine)] + " kinds" not in open(os.path.join(ROOT, file)).read():
            problems.append("%s: expected \"%s kinds\" of bugs" % (file, NUMBERS[len(engine)]))
    scan = open(os.path.join(ROOT, "docs", "scan.md")).read()
    problems += ["docs/scan.md: %s is not named" % k["name"] for k in kinds if k["scan"] and "`%s`" % k["name"] not in scan]
    print("\n".join(problems) if problems else "%d kinds" % len(kinds))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
