#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trust.py saturate < MATRIX.csv    the same campaign without elements in few units: those in one or two get two more
trust.py check < ESTIMATES.json   whoever contradicts the calibrated interval is not trusted; prints how many do"""
import csv
import json
import sys


def saturate():
    rows = list(csv.reader(sys.stdin))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(rows[0])
    for name, *cells in rows[1:]:
        at, count = cells.index("1") if "1" in cells else 0, cells.count("1")
        if 1 <= count <= 2:
            for unit in range(len(cells)):
                if cells.count("1") < 4:
                    cells[(at + unit) % len(cells)] = "1"
        out.writerow([name] + cells)


def check():
    out = json.load(sys.stdin)
    calibrated = out["estimators"]["calibrated"]
    assert calibrated["trust"] == "fair", calibrated
    low, high = calibrated["ci_blocks"]["0.90"]
    contradicting = 0
    for name, one in out["estimators"].items():
        if one["ci_blocks"] is None:
            continue
        own_low, own_high = one["ci_blocks"]["0.90"]
        if own_high < low or own_low > high:
            contradicting += 1
            assert one["trust"] in ("fair", "poor"), (name, one)
        elif not low <= one["estimate"] <= high:
            assert one["trust"] in ("fair", "poor"), (name, one)
    print(contradicting, "contradict it")


saturate() if sys.argv[1] == "saturate" else check()
