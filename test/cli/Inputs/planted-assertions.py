# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""planted-assertions.py SCRIPTS SOURCE: what scripts/plantedassertions.py plants holds, or fails, when the program runs natively on many inputs."""
import copy
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import plantedassertions
import plantedbugs

REPORT = 'int printf(const char *, ...); void reach_error(const char *text) { printf("%s\\n", text); }'
everywhere = lambda function, file: True
rng = random.Random(1)
inputs = [bytes(rng.choice([rng.randrange(256), rng.randrange(8), ord(rng.choice("p(,"))]) for _ in range(6)) for _ in range(250)]


def failing(text, assertions, folder):
    """The numbers of those that fail for some input."""
    whole = plantedassertions.planted(text, assertions)
    plantedbugs.assembled(whole, folder + "/p.bc")  # llvm-as verifies it
    native = whole.replace("define void @reach_error(ptr %text) noinline {\n  ret void\n}", "declare void @reach_error(ptr)")
    assert native != whole
    with open(folder + "/p.ll", "w") as out:
        out.write(native)
    with open(folder + "/report.c", "w") as out:
        out.write(REPORT)
    subprocess.run(["clang-19", "-w", folder + "/p.ll", folder + "/report.c", "-o", folder + "/p"], check=True)
    found = set()
    for data in inputs:
        said = subprocess.run([folder + "/p"], input=data, stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
        found |= {plantedassertions.number_of(line) for line in said} - {None}
    return found


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["clang-19", "-g", "-O0", "-c", "-emit-llvm", sys.argv[2], "-o", folder + "/s.bc"], check=True)
    text = plantedbugs.disassembled(folder + "/s.bc")
    assert plantedassertions.drawn(text, lambda function, file: False, {"weigh"}, 60, "x") == []
    assert plantedassertions.drawn(text, everywhere, set(), 60, "x") == []
    told = lambda of: [(a.form, a.place(), a.predicate, a.other, a.change) for a in of]
    draw = lambda seed: plantedassertions.drawn(text, everywhere, {"weigh"}, 60, seed)
    # The first in which each form is drawn.
    seeds = sorted({next(seed for seed in range(50) if any(a.form == form for a in draw(seed))) for form in plantedassertions.KINDS})
    changed, inverted, total = set(), set(), 0
    for seed in seeds:
        drawn = draw(seed)
        assert told(drawn) == told(draw(seed))
        assert len({a.place() for a in drawn}) == len(drawn) > 10 and all(a.branch.function == "weigh" for a in drawn)
        found = failing(text, drawn, folder)
        wrong = [told([drawn[n - 1]]) for n in found if drawn[n - 1].kind == "kept"]
        assert not wrong, wrong
        changed |= {a.form for n, a in enumerate(drawn, 1) if n in found}
        # The same with the opposite predicate: it is executed, so it fails.
        opposite = [copy.copy(a) for a in drawn if a.form == "again"]
        for a in opposite:
            a.predicate = plantedassertions.INVERSE[a.predicate]
        inverted |= {(seed, n) for n in failing(text, opposite, folder)}
        total += len(opposite)
    assert changed == {f for f, kind in plantedassertions.KINDS.items() if kind == "changed"}, changed
    # Two sides of the loop's branch and the like: nearly all are executed.
    assert len(inverted) == total > 10, (len(inverted), total)
    # A drawn assertion stands at a column of its own, with the line of its branch.
    again = plantedbugs.disassembled(folder + "/p.bc")
    places = plantedassertions.SCOPE.findall(again)
    assert len([1 for row in again.split("\n") if "column: %d" % (plantedassertions.FIRST_COLUMN + 1) in row]) == 1 and places
print("planted assertions: %d opposite ones fail" % total)
