#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds to a folder with explore/ and fuzz/ what a whole run has beside them.

    test/report/make-run.py FOLDER
"""
import json
import os
import sys

folder = sys.argv[1]
run = json.load(open(os.path.join(folder, "fuzz", "run.json")))
run.update(subcommand="run", command=["fathom", "run"] + run["program"])
json.dump(run, open(os.path.join(folder, "run.json"), "w"))
sarif = json.load(open(os.path.join(folder, "explore", "results.sarif")))
for result in sarif["runs"][0]["results"]:
    result["properties"] = {"verdict": "confirmed", "reason": "an input of the program shows it"}
json.dump(sarif, open(os.path.join(folder, "confirmed.sarif"), "w"))
events = [
    {"seconds": 0.5, "processor_seconds": 0.9, "by": "seeds", "event": "sides", "sides": 5, "sides_covered": 5},
    {"seconds": 1.5, "processor_seconds": 2.4, "by": "fuzz", "event": "sides", "sides": 4, "sides_covered": 9},
    {"seconds": 2.0, "processor_seconds": 3.1, "by": "explore", "event": "bug", "number": 1},
    {"seconds": 2.5, "processor_seconds": 4.0, "by": "explore", "event": "sides", "sides": 5, "sides_covered": 14},
]
with open(os.path.join(folder, "events.jsonl"), "w") as file:
    file.writelines(json.dumps(event) + "\n" for event in events)
