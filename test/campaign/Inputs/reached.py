#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reached.py DIR [--list]: what the inputs in campaign.db cover, held against what is said to be unreachable.

Prints how many elements are covered, neither, unreachable, and which are both: none.
--list: what is unreachable, too.
"""
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from check import covered  # noqa: E402

db = sqlite3.connect(sys.argv[1] + "/campaign.db")
everything = dict(db.execute("select id, unreachable from element"))
reached = set()
for blob, apart in db.execute("select covered, covered_apart from unit"):
    reached |= covered(bytes(blob), len(everything)) | covered(bytes(apart), len(everything))
wrong = sorted(i for i in reached if everything[i])
unreachable = sum(reason is not None for reason in everything.values())
print("covered %d, unknown %d, unreachable %d" % (len(reached), len(everything) - len(reached) - unreachable + len(wrong), unreachable))
for i in wrong:
    print("both:", i, everything[i], *db.execute("select function, line from element where id = ?", (i,)).fetchone())
if "--list" in sys.argv:
    for row in db.execute("select kind, function, line, side, unreachable from element where unreachable is not null"):
        print(*row)
sys.exit(bool(wrong))
