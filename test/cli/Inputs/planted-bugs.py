# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""planted-bugs.py SCRIPTS BITCODE: what scripts/plantedbugs.py says of numbers, and of a program."""
import random
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import plantedbugs

assert plantedbugs.holds("ult", 1, -1, 32) and not plantedbugs.holds("slt", 1, -1, 32)
assert plantedbugs.holds("sge", 3, 3, 8) and not plantedbugs.holds("ne", 3, 3, 8)
rng = random.Random(1)
draw = lambda *compared, side: {plantedbugs.number_for(compared, side, rng) for _ in range(200)}
assert draw("eq", "i32", "%5", "40", side=1) == {None}  # only 40 itself
assert 40 not in draw("eq", "i32", "%5", "40", side=0)
assert max(draw("sle", "i32", "%5", "57", side=1)) < 57 < min(draw("sle", "i32", "%5", "57", side=0))
assert draw("sgt", "i32", "%5", "200", side=1) == set(range(201, 209))
assert draw("slt", "i32", "%5", "100000", side=1) == {None}
assert draw("ult", "i32", "%5", "0", side=1) == {None}

assert draw("eq", "i1", "%5", "0", side=0) == {None}

text = plantedbugs.disassembled(sys.argv[2])
found, _ = plantedbugs.branches(text)
inWeigh = [b for b in found if b.function == "weigh"]
assert len(inWeigh) == 4 and all(b.file.endswith("searches.c") for b in inWeigh), inWeigh
assert inWeigh[0].compared[0] == "eq" and inWeigh[0].compared[3] == "40"
everything, own = [{("weigh", b.line, 0) for b in inWeigh if b != one} | {("main", 1, 0)} for one in inWeigh[:2]], lambda function, file: file.endswith("searches.c")
bugs = plantedbugs.chosen(text, own, everything, 4, "x")
told = lambda of: [(kind, b.function, b.line, side, value) for kind, b, side, value in of]
assert told(bugs) == told(plantedbugs.chosen(text, own, everything, 4, "x"))
assert len(bugs) == 4 and len({b.line for _, b, _, _ in bugs}) == 4, told(bugs)
# Two seeds take side 0 of nearly every branch, each of other ones; in main they do the same.
assert all(b.function == "weigh" and (kind == "value" or side == 1) for kind, b, side, _ in bugs), told(bugs)
kind, branch, side, _ = bugs[0]
others = plantedbugs.chosen(text, own, everything, 4, "x", {(kind, branch.function, branch.line, side)})
assert not any(t[:4] == (kind, branch.function, branch.line, side) for t in told(others))
assert plantedbugs.chosen(text, lambda function, file: False, everything, 4, "x") == []
with tempfile.TemporaryDirectory() as folder:
    plantedbugs.assembled(plantedbugs.planted(text, bugs), folder + "/p.bc")  # llvm-as verifies it
    again, _ = plantedbugs.branches(plantedbugs.disassembled(folder + "/p.bc"))
assert len(again) == len(found) + 2  # a value is one more branch
assert plantedbugs.numbers_of([{"message": "assertion failed: planted 3"}, {"message": "out of bounds"}, {}]) == ([3], 2)
