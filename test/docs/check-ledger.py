#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation has the categories of the ledger that the program has, with what they say.

    test/docs/check-ledger.py FATHOM [EXPLORE-PAGE] [--write]

docs/explore.md has a row for each category: its name and its sentence as `fathom --describe-ledger` gives them, then a remedy, which is
the page's own. --write brings rows up to date and keeps the remedies.
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    categories = json.loads(subprocess.check_output([arguments[0], "--describe-ledger"]))
    page = arguments[1] if len(arguments) > 1 else os.path.join(ROOT, "docs", "explore.md")
    text = open(page).read()
    section = text.split("\n## Reading the ledger\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    wanted = ["| `%(name)s` | %(sentence)s |" % c for c in categories]
    remedies = {" |".join(row.split(" |")[:1]): row.split(" | ")[-1] for row in rows[2:]}
    if "--write" in sys.argv:
        new = rows[:2] + [row + " " + remedies.get(row.split(" |")[0], "- |") for row in wanted]
        open(page, "w").write(text.replace("\n".join(rows), "\n".join(new)))
        return
    documented = [row[:row.rindex(" | ")] + " |" for row in rows[2:]]
    problems = ["%s: missing: %s" % (page, row) for row in wanted if row not in documented]
    problems += ["%s: not in the program: %s" % (page, row) for row in documented if row not in wanted]
    if not problems and documented != wanted:
        problems.append("%s: categories are not in the order of the program, or one is there twice" % page)
    print("\n".join(problems) if problems else "%d categories" % len(categories))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
