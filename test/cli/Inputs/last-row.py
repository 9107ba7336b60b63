#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The last line of stats.csv is what stats.json has, times aside."""
import csv
import json
import sys

rows = list(csv.DictReader(open(sys.argv[1] + "/stats.csv")))
end = json.load(open(sys.argv[1] + "/stats.json"))
for name, value in rows[-1].items():
    assert name.endswith("seconds") or int(value) == end[name], (name, value, end[name])
