#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/limits.md is short enough to be read, and each of its rows answers and leads to the details.

    test/docs/check-limits.py [PAGE]

- At most 60 rows and 1,200 words.
- A row has what is asked for, `yes`, `partly` or `no`, and a link to a page that is not this one.
- Nothing is asked twice.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_ROWS = 60
MOST_WORDS = 1200


def main():
    page = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "limits.md")
    text = open(page).read()
    problems, asked, inTable = [], [], False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\|[-| ]+\|$", line):
            inTable = True  # what stands above this line is the table's head
        elif not line.startswith("|"):
            inTable = False
        elif inTable:
            cells = [c.strip() for c in line.strip("|").split("|")]
            if len(cells) != 3 or not cells[0]:
                problems.append("%s:%d: %d cells, expected what is asked for, the answer and the details" % (page, number, len(cells)))
                continue
            if cells[1] not in ("yes", "partly", "no"):
                problems.append("%s:%d: the answer is %s, expected yes, partly or no" % (page, number, cells[1]))
            if not re.search(r"\]\([\w./-]+\.md(#[\w-]+)?\)", cells[2]):
                problems.append("%s:%d: no link to the details" % (page, number))
            if cells[0] in asked:
                problems.append("%s:%d: %s has another row" % (page, number, cells[0]))
            asked.append(cells[0])
    if not 20 <= len(asked) <= MOST_ROWS:
        problems.append("%s: %d rows, expected 20 to %d" % (page, len(asked), MOST_ROWS))
    words = len(text.split())
    if words > MOST_WORDS:
        problems.append("%s: %d words, expected at most %d: details belong into the page of the feature" % (page, words, MOST_WORDS))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
