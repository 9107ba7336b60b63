#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the states that a campaign on examples/triangle.c sampled against the program, run here.

    check-samples.py OUT

Every input of AFL++'s queue was executed: all states that it has at the assertion must be there. And every state that is there
must be one that the program can have.
"""
import os
import re
import sqlite3
import sys

sys.dont_write_bytecode = True
from states import values  # noqa: E402

out = sys.argv[1]
db = sqlite3.connect(os.path.join(out, "campaign.db"))
points = db.execute("select id, condition, variables from state_point where kind = 'assertion'").fetchall()
assert len(points) == 1, points
point, condition, variables = points[0]
assert condition == "b[i] <= (((3 * i) * i) + (3 * i))", condition
variables = variables.split("\t")
assert variables == ["b[i]", "i", "p"], variables


def states(data):
    """(b[i], i, p) at the assertion, in order; scanf("%d") as musl reads it."""
    at = 0

    def number():
        nonlocal at
        m = re.match(rb"[ \t\n\v\f\r]*([+-]?\d+)", data[at:])
        if not m:
            return None
        at += m.end()
        value = int(m.group(1))
        return value if -2**31 <= value < 2**31 else "overflow"  # musl wraps around: leave such inputs out

    n = number()
    if not isinstance(n, int) or n <= 0 or n > 1000:
        return
    a = b = 0
    for i in range(n):
        off = number()
        if not isinstance(off, int) or off < 0 or off > 6:
            return
        a, b = (6, 0) if i == 0 else (a + off, b + a)
        yield b, i, i - 1


sampled = {}
for blob, count in db.execute("select bindings, count from state where point = ?", (point,)):
    state = values(blob)
    assert state not in sampled, state
    assert count > 0
    sampled[state] = count
for b, i, p in sampled:
    assert p == i - 1 and 0 <= i < 1000, (b, i, p)
    assert (b == 0) if i == 0 else 6 * i <= b <= 3 * i * i + 3 * i, (b, i)

queue = os.path.join(out, "afl", "main", "queue")
inputs = [open(os.path.join(queue, f), "rb").read() for f in os.listdir(queue) if f.startswith("id:")]
expected = {state for data in inputs for state in list(states(data))[:32]}
missing = expected - set(sampled)
assert len(expected) >= 10, expected
assert not missing, sorted(missing)
print("%d states, all possible; all %d of the queue are among them" % (len(sampled), len(expected)))
