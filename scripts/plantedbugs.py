# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants bugs in a program's bitcode: an assertion that fails on one side of a branch, always or only for one value of what the branch compares.

A bug is a side of a conditional branch in a function that does not do the same for all seeds, with nothing else on its line of the list:

    side    the side is one that no seed takes; an input that takes it fails
    value   the branch compares an integer; on this side it fails if that integer is a certain number

Which ones is drawn by a seed from the program's text, so the same bitcode and the same seed give the same bugs. Bugs that a seed of the corpus triggers are
left out by who calls this (planted without them). The text is LLVM's assembly as clang-19 writes it for `fathom-cc -g`: one branch at the end of a block,
its comparison in the same block. Sides that lead to a block with phi nodes are left out, because the new block would have to stand in them.
"""
import os
import random
import re
import subprocess

FUNCTION = re.compile(r'^define .*?@"?([\w.$-]+)"?\(.*!dbg !(\d+) \{$')
LABEL = re.compile(r"^([\w.$-]+):")
BRANCH = re.compile(r"^  br i1 (%[\w.$-]+), label %([\w.$-]+), label %([\w.$-]+), !dbg !(\d+)")
COMPARISON = re.compile(r"^  (%[\w.$-]+) = icmp (\w+) (i\d+) (\S+), (\S+?),? ")
SUBPROGRAM = re.compile(r"^!(\d+) = distinct !DISubprogram\(.*?file: !(\d+)", re.M)
FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)"', re.M)
LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)", re.M)
MOST = 256  # beyond, a small input has no number beside it
MESSAGE = re.compile(r"planted (\d+)\b")


class Branch:
    """A conditional branch: where it is, and what it compares."""

    def __init__(self, at, function, file, line, labels, condition, compared, place):
        self.at, self.function, self.file, self.line, self.labels = at, function, file, line, labels
        self.condition, self.compared, self.place = condition, compared, place  # compared: (predicate, type, value, other)


def disassembled(bitcode):
    return subprocess.run(["llvm-dis-19", bitcode, "-o", "-"], stdout=subprocess.PIPE, check=True, text=True).stdout


def assembled(text, path):
    with open(path + ".ll", "w") as file:
        file.write(text)
    subprocess.run(["llvm-as-19", path + ".ll", "-o", path], check=True)
    os.remove(path + ".ll")


def branches(text):
    """All conditional branches with a place in a source, and the labels of blocks with phi nodes, by function."""
    files, lines = dict(FILE.findall(text)), {number: int(line) for number, line in LOCATION.findall(text)}
    of = {number: files.get(file, "") for number, file in SUBPROGRAM.findall(text)}
    out, phis, function, block, comparisons = [], set(), None, None, {}
    for at, row in enumerate(text.split("\n")):
        found = FUNCTION.match(row)
        if found:
            function, block, comparisons = found[1], None, {}
            file = of.get(found[2], "")
        elif row == "}":
            function = None
        elif function:
            label = LABEL.match(row)
            if label:
                block, comparisons = label[1], {}
            elif " = phi " in row:
                phis.add((function, block))
            else:
                compared, branch = COMPARISON.match(row), BRANCH.match(row)
                if compared:
                    comparisons[compared[1]] = compared.groups()[1:]
                if branch and branch[4] in lines:
                    out.append(Branch(at, function, file, lines[branch[4]], branch.groups()[1:3], branch[1], comparisons.get(branch[1]), branch[4]))
    return out, phis


def holds(predicate, a, b, bits):
    """a PREDICATE b, of numbers with so many bits."""
    unsigned = lambda n: n % (1 << bits)
    if predicate[0] == "u":
        a, b = unsigned(a), unsigned(b)
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[predicate[-2:]]


def number_for(compared, side, rng):
    """A number that the compared value can have on this side and that is not the one it is compared with; None: there is none among those tried."""
    if not compared or compared[2].lstrip("-").isdigit() or not compared[2].startswith("%"):
        return None
    predicate, kind, _, other = compared
    bits = int(kind[1:])
    if bits < 8:
        return None
    if not re.fullmatch(r"-?\d+", other):
        return rng.randrange(2, 13)
    limit = int(other)
    if abs(limit) > MOST:
        return None
    choices = [n for n in (range(33, 127) if 32 <= limit < 127 else range(limit - 8, limit + 9)) if n != limit and holds(predicate, n, limit, bits) == bool(side) and -(1 << bits - 1) <= n < 1 << bits - 1]
    return rng.choice(choices) if choices else None


def chosen(text, isOwn, covered, count, seed, without=()):
    """[(kind, branch, side, number or None)]: so many bugs, half of each kind, each on a line of its own.

    isOwn    of a function and a file: may bugs be there?
    covered  for each seed (function, line, side) that it takes
    without  (kind, function, line, side) that are not wanted
    """
    rng, (all_branches, phis) = random.Random(seed), branches(text)
    by_seed, covered = covered, set().union(*covered)
    # What is the same for all seeds depends on the options, mostly: no input gets elsewhere there.
    entered = {c[0] for c in covered if any(c not in of for of in by_seed)}
    places = [(b, side) for b in all_branches if b.function in entered and isOwn(b.function, b.file) for side in (0, 1) if (b.function, b.labels[1 - side]) not in phis]
    rng.shuffle(places)
    out, lines = [], set()
    for kind, wanted in (("side", count - count // 2), ("value", count // 2)):
        for branch, side in places:
            line = (branch.function, branch.line)
            number = number_for(branch.compared, side, random.Random("%s %s %d %d" % (seed, *line, side))) if kind == "value" else None
            fits = number is not None if kind == "value" else (*line, side) not in covered
            if fits and line not in lines and (kind, *line, side) not in without and sum(b[0] == kind for b in out) < wanted:
                lines.add(line)
                out.append((kind, branch, side, number))
    return out


def planted(text, bugs):
    """The program with these bugs; bug N fails with the message `planted N`."""
    rows, after, globals_ = text.split("\n"), {}, []
    for number, (kind, branch, side, value) in enumerate(bugs, 1):
        name, target = "planted.%d" % number, branch.labels[1 - side]
        labels = list(branch.labels)
        labels[1 - side] = name
        rows[branch.at] = rows[branch.at].replace("label %%%s, label %%%s" % branch.labels, "label %%%s, label %%%s" % tuple(labels), 1)
        new = ["", name + ":"]
        if kind == "value":
            new += ["  %%%s.is = icmp eq %s %s, %d, !dbg !%s" % (name, branch.compared[1], branch.compared[2], value, branch.place),
                    "  br i1 %%%s.is, label %%%s.fails, label %%%s, !dbg !%s" % (name, name, target, branch.place), "", name + ".fails:"]
        texts = {"text": "planted %d" % number, "file": os.path.basename(branch.file), "function": branch.function}
        for key, string in texts.items():
            globals_.append('@%s.%s = private unnamed_addr constant [%d x i8] c"%s\\00"' % (name, key, len(string) + 1, string))
        new += ["  call void @__fathom_assert_fail(ptr @%s.text, ptr @%s.file, i32 %d, ptr @%s.function), !dbg !%s" % (name, name, branch.line, name, branch.place), "  unreachable, !dbg !%s" % branch.place]
        after[branch.at] = new
    out = []
    for at, row in enumerate(rows):
        out += [row] + after.get(at, [])
    if not re.search(r"^(declare|define) .*@__fathom_assert_fail\(", text, re.M):
        globals_.append("declare void @__fathom_assert_fail(ptr, ptr, i32, ptr)")
    # Behind everything: what is numbered by its order keeps its number.
    return "\n".join(out + globals_) + "\n"


def numbers_of(bugs):
    """The planted bugs among those that a tool reports (`bugs` of its --json), and how many others."""
    found = [MESSAGE.search(b.get("message", "")) for b in bugs]
    return sorted({int(f[1]) for f in found if f}), sum(f is None for f in found)
