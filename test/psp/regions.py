#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of Inputs/regions.c: every alarm that a campaign saw to fail has probability 1, in a state in which it does fail, and no state that was
seen to fail is outside of what the abstract interpreter admits.

    regions.py < OUTPUT-OF-TRIAGE-JSON
"""
import json
import sys

sys.dont_write_bytecode = True
from states import seen_alarms  # noqa: E402

FAILS = {  # by function: does the state fail?
    "large": lambda v: v["u"] == 0x80000041,
    "negative": lambda v: v["n"] <= -190,
    "member": lambda v: v["p->second"] == 66,
    "element": lambda v: v["numbers[i]"] >= 100,
    "related": lambda v: v["high"] - v["low"] == 3,
    "byte": lambda v: v["c"] >= 250,
    "divided": lambda v: v["b"] == 65,
}
seen = set()
for alarm, state in seen_alarms(json.load(sys.stdin)["alarms"]):
    assert FAILS[alarm["function"]](state), alarm
    seen.add(alarm["function"])
missing = set(FAILS) - seen
print("%d seen to fail%s" % (len(seen), "; not: " + ", ".join(sorted(missing)) if missing else ""))
