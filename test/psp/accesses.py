#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of Inputs/accesses.c: the failing inputs' states were sampled, with the offsets, sizes and lengths that they must have; every access that
was seen outside of its object has probability 1, in a state that is outside; and no state that was seen outside contradicts the abstract
interpreter.

    accesses.py CAMPAIGN OUTPUT-OF-TRIAGE-JSON

Without the output: of a campaign that samples all accesses, what counts back from the end of an object is inside of it.
"""
import json
import os
import sqlite3
import sys

sys.dont_write_bytecode = True
from states import seen_alarms, values  # noqa: E402

FAILS = {  # by function: a state that a failing input among the seeds has, and how many bytes are touched
    "element": ({"offset": 9}, 1),
    "pointed": ({"offset": 7, "size": 6}, 1),
    "block": ({"offset": 12, "size": 10}, 1),
    "member": ({"offset": 4, "size": 0}, 4),
    "copy": ({"offset": 0, "size": 8, "length": 12}, None),
    "after": ({"offset": 8, "size": 6}, 1),
    "argument": ({"offset": 250}, 1),
}


db = sqlite3.connect(os.path.join(sys.argv[1], "campaign.db"))
if len(sys.argv) == 2:
    backwards = [tuple(values(blob)[:2]) for (blob,) in db.execute(
        "select bindings from state join state_point on point = id where function = 'backwards' and condition like '%offset + 1 <= size'")]
    assert backwards, "nothing was sampled"
    print("counts back:", sorted(set(backwards)))
    sys.exit()
for function, (wanted, _) in FAILS.items():
    sampled = []
    for point, names in db.execute("select id, variables from state_point where kind = 'access' and function = ?", (function,)):
        for (blob,) in db.execute("select bindings from state where point = ?", (point,)):
            sampled.append(dict(zip(names.split("\t"), values(blob))))
    assert any(all(state.get(name) == value for name, value in wanted.items()) for state in sampled), (function, wanted, sampled[:20])

alarms = json.load(open(sys.argv[2]))["alarms"]
functions, seen = {alarm["function"] for alarm in alarms}, set()
for alarm, state in seen_alarms(alarms):
    length = state.get("length", FAILS[alarm["function"]][1])
    assert state["offset"] < 0 or state["offset"] + length > state.get("size", 8), alarm
    seen.add(alarm["function"])
assert "inside" not in functions, "its index is checked"
missing = set(FAILS) - seen
print("%d seen to fail%s" % (len(seen), "; not: " + ", ".join(sorted(missing)) if missing else ""))
