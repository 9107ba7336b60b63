# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py DIR: the events, the folders and run.json of a run of fathom agree."""
import json
import os
import sys

folder = sys.argv[1]
events = [json.loads(line) for line in open(os.path.join(folder, "events.jsonl"))]
run = json.load(open(os.path.join(folder, "run.json")))
assert run["subcommand"] == "run" and run["how_ended"], run
covered = sum(event["sides"] for event in events if event["event"] == "sides")
assert covered == run["totals"]["branches_covered"], (covered, run["totals"])
assert covered == [event["sides_covered"] for event in events if event["event"] == "sides"][-1]
for part in ("fuzz", "explore"):
    told = max([event["number"] for event in events if event["event"] == "bug" and event["by"] == part], default=0)
    there = len(os.listdir(os.path.join(folder, part, "bugs")))
    assert told == there, (part, told, there)
times = [event["seconds"] for event in events]
assert times == sorted(times)
ended = {event["by"] for event in events if event["event"] == "ended"}
assert {"fuzz", "explore", "scan"} <= ended, ended
