# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-order.py PROGRAM REPORTS.json: lines marked `first` are sinks, lines marked `follows` are listed and no sinks, and lines marked
`either` are one of the two, with at least one sink in each function."""
import json
import sys

marks = {}
for number, line in enumerate(open(sys.argv[1]), 1):
    for mark in ("first", "follows", "either"):
        if "/* %s */" % mark in line:
            marks.setdefault(mark, set()).add(number)
reports = json.load(open(sys.argv[2]))["reports"]
sinks = {r["line"] for r in reports}
listed = {place["line"] for r in reports for place in r["alsoAt"]}
assert marks["first"] <= sinks, ("not reported", marks["first"] - sinks)
assert not marks["follows"] & sinks, ("reported, but cannot be first", marks["follows"] & sinks)
assert marks["follows"] <= listed, ("not listed", marks["follows"] - listed)
assert marks["either"] <= sinks | listed and marks["either"] & sinks, (sinks, listed)
assert all(r["alsoAtMore"] == 0 for r in reports)
