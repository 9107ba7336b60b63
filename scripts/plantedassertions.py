# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants assertions behind the branches of a program's bitcode: some hold because of what the branch has decided, of others one thing was changed.

An assertion stands on one side of a conditional branch that compares two integers, before anything else happens there. It computes again what the branch
compared, as `assert` in the source would: what the branch read from memory is read again, unless something between may have written it. Kinds:

    kept      again    the branch's comparison, as this side has it
              apart    the value is not a number that this side excludes
    changed   value    the value is not a number that this side admits
              moved    the branch's comparison with a smaller range
              order    the same without equality; instead of "not equal" one of "less" and "greater"
              mask     the same of another bit
              operand  the same of a sum with another number

Kept ones hold by construction. Whether a changed one fails for some input shows only when the program runs. An assertion that fails calls reach_error
and the program goes on, as the bugs of the Magma benchmark do, so that one does not hide another. Which are planted is drawn by a seed from the program's text.
"""
import random
import re

import plantedbugs
from plantedbugs import FUNCTION, LABEL, MOST, holds

COPIED = re.compile(r"^  (%[\w.$-]+) = (load|zext|sext|trunc|and|or|xor|add|sub|mul|shl|lshr|ashr|getelementptr)\b")
WRITES = re.compile(r"^  (?:%[\w.$-]+ = )?(?:(?:tail|musttail|notail) )?(?:store|call|invoke|atomicrmw|cmpxchg|fence|va_arg)\b")
OPERATION = re.compile(r"^(  %[\w.$-]+ = (and|add)\b.* %[\w.$-]+, )(-?\d+)$")
NAME = re.compile(r"%[\w.$-]+")
SCOPE = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+),(?: column: \d+,)? scope: (!\d+)\)$", re.M)
NUMBERED_TYPE = re.compile(r"^%\d+ = type ", re.M)
INVERSE = {"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt", "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"}
STRICT = {"sle": "slt", "sge": "sgt", "ule": "ult", "uge": "ugt"}
TEXT = re.compile(r"planted (\d+)\b")
# Columns of the source end before: so it is known of every branch whether, and with which assertion, it was planted.
FIRST_COLUMN, LAST_COLUMN = 50000, 65535
KINDS = {"again": "kept", "apart": "kept", "value": "changed", "moved": "changed", "order": "changed", "mask": "changed", "operand": "changed"}


class Assertion:
    def __init__(self, form, branch, side, predicate, other, change=None):
        self.form, self.branch, self.side = form, branch, side
        self.predicate, self.other = predicate, other  # the value PREDICATE other
        self.change = change  # (name, number): of an instruction that is computed again, its number

    kind = property(lambda self: KINDS[self.form])

    def place(self):
        return self.branch.function, self.branch.line, self.branch.place, self.side


def computed(rows, branch):
    """The instructions of the branch's block that compute what it compares and can be computed again behind it; in their order."""
    known, isWritten, at = {}, False, branch.at - 1
    while at >= 0 and not LABEL.match(rows[at]) and not FUNCTION.match(rows[at]):
        found = COPIED.match(rows[at])
        # What was read before something was written may be another number by now.
        if found and not (found[2] == "load" and (isWritten or " volatile " in rows[at] or " atomic " in rows[at])):
            known[found[1]] = at
        isWritten |= bool(WRITES.match(rows[at])) and "@llvm.dbg." not in rows[at]
        at -= 1
    wanted, todo = set(), [word for word in branch.compared[2:] if word in known]
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo += [word for word in NAME.findall(rows[known[name]].split(" = ", 1)[1]) if word in known]
    return [rows[at] for at in sorted(known[name] for name in wanted)]


def bare(row):
    """Without metadata."""
    return row.split(", !")[0]


def numbers_beside(limit, bits, isWanted):
    near = range(33, 127) if 32 <= limit < 127 else range(limit - 8, limit + 9)
    return [n for n in near if -(1 << bits - 1) <= n < 1 << bits - 1 and isWanted(n)]


def forms(rows, branch, side, rng):
    """Every form that the place admits, once: {form: Assertion}."""
    predicate, kind, value, other = branch.compared
    bits = int(kind[1:])
    if bits < 8 or bits > 64 or not value.startswith("%"):
        return {}
    if not side:
        predicate = INVERSE[predicate]
    out = {}

    def add(form, predicate, other, change=None):
        out[form] = Assertion(form, branch, side, predicate, str(other), change)

    add("again", predicate, other)
    limit = int(other) if re.fullmatch(r"-?\d+", other) else None
    if limit is not None and abs(limit) <= MOST:
        excluded = numbers_beside(limit, bits, lambda n: not holds(predicate, n, limit, bits))
        if excluded:
            add("apart", "ne", rng.choice(excluded))
        if predicate[1:] in ("lt", "le", "gt", "ge"):
            further = limit + rng.randrange(1, 5) * (-1 if predicate[1] == "l" else 1)
            least, most = (0, 1 << bits - 1) if predicate[0] == "u" else (-(1 << bits - 1), 1 << bits - 1)
            if least <= further < most:
                add("moved", predicate, further)
    admitted = plantedbugs.number_for(branch.compared, side, rng)
    if admitted is not None:
        add("value", "ne", admitted)
    if predicate in STRICT:
        add("order", STRICT[predicate], other)
    elif predicate == "ne":
        add("order", rng.choice(["slt", "sgt"]), other)
    for row in computed(rows, branch):
        found = OPERATION.match(bare(row))
        if not found:
            continue
        name, number = COPIED.match(row)[1], int(found[3])
        if found[2] == "and" and predicate in ("eq", "ne") and other == "0" and number > 0:
            another = [1 << bit for bit in range(8) if not number >> bit & 1]
            if another:
                add("mask", predicate, other, (name, rng.choice(another)))
        elif found[2] == "add" and abs(number) <= MOST:
            add("operand", predicate, other, (name, number + rng.choice([-2, -1, 1, 2])))
    return out


def drawn(text, isOwn, entered, count, seed):
    """So many assertions, half of each kind where there are places, in a random order.

    isOwn    of a function and a file: may assertions be there?
    entered  functions that a seed enters: elsewhere a campaign may never come
    """
    if NUMBERED_TYPE.search(text):
        return []  # its names could be those of values
    branches, phis = plantedbugs.branches(text)
    scopes = {number for number, *_ in SCOPE.findall(text)}
    places = [(b, side) for b in branches for side in (0, 1) if b.compared and b.place in scopes and b.labels[0] != b.labels[1] and b.function in entered
              and isOwn(b.function, b.file) and (b.function, b.labels[1 - side]) not in phis]
    rng, rows, out = random.Random(seed), text.split("\n"), []
    rng.shuffle(places)
    for branch, side in places:
        of = forms(rows, branch, side, rng)
        kind = rng.choice(["kept", "changed"])
        fitting = sorted(form for form in of if KINDS[form] == kind)
        if fitting and sum(a.kind == kind for a in out) < (count + (kind == "kept")) // 2:
            out.append(of[rng.choice(fitting)])
    return out


def planted(text, assertions):
    """The program with these assertions; number N, from 1 on, has the text `planted N` and the column FIRST_COLUMN + N, and fails on side 0 of its branch."""
    rows, after, behind, labels = text.split("\n"), {}, [], {}
    of = {number: (line, scope) for number, line, scope in SCOPE.findall(text)}
    most = max(int(n) for n in re.findall(r"^!(\d+) = ", text, re.M))
    assert FIRST_COLUMN + len(assertions) <= LAST_COLUMN
    for number, a in enumerate(assertions, 1):
        branch, name = a.branch, "planted.%d" % number
        now = labels.setdefault(branch.at, list(branch.labels))
        target = branch.labels[1 - a.side]
        now[1 - a.side] = name
        line, scope = of[branch.place]
        behind.append("!%d = !DILocation(line: %s, column: %d, scope: %s)" % (most + number, line, FIRST_COLUMN + number, scope))
        dbg = ", !dbg !%d" % (most + number)
        new, names = ["", name + ":"], {}
        for row in computed(rows, branch):
            old = COPIED.match(row)[1]
            row = bare(row)
            if a.change and a.change[0] == old:
                row = OPERATION.match(row)[1] + str(a.change[1])
            copy = "%%%s.%d" % (name, len(names))
            head, tail = row.split(" = ", 1)
            new.append("  %s = %s" % (copy, NAME.sub(lambda m: names.get(m[0], m[0]), tail)) + dbg)
            names[old] = copy
        value, other = (names.get(word, word) for word in (branch.compared[2], a.other))
        new += ["  %%%s.holds = icmp %s %s %s, %s" % (name, a.predicate, branch.compared[1], value, other) + dbg,
                "  br i1 %%%s.holds, label %%%s, label %%%s.fails" % (name, target, name) + dbg, "", name + ".fails:",
                "  call void @reach_error(ptr @%s.text)" % name + dbg, "  br label %%%s" % target + dbg]
        string = "planted %d" % number
        behind.append('@%s.text = private unnamed_addr constant [%d x i8] c"%s\\00"' % (name, len(string) + 1, string))
        after.setdefault(branch.at, []).extend(new)
    out = []
    for at, row in enumerate(rows):
        if at in labels:
            before, (first, second) = next(a.branch for a in assertions if a.branch.at == at).labels, labels[at]
            row = row.replace("label %%%s, label %%%s" % before, "label %%%s, label %%%s" % (first, second), 1)
        out += [row] + after.get(at, [])
    if re.search(r"^define .*@reach_error\(", text, re.M):
        raise ValueError("the program has a function reach_error of its own")
    text = "\n".join(row for row in out if not re.match(r"^declare .*@reach_error\(", row))
    return text + "\n" + "\n".join(behind) + "\ndefine void @reach_error(ptr %text) noinline {\n  ret void\n}\n"


def number_of(what):
    """Of a check's text: which assertion it is; None: another."""
    found = TEXT.search(what)
    return int(found[1]) if found else None
