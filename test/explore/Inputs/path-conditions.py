#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of the path.smt2 of a results folder: z3 says sat twice and then gives the bytes that test.ktest has. The conditions of different
paths exclude each other."""
import glob
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
from testfolders import test_folders


def objects(ktest):
    """The objects of a .ktest file: [(name, bytes)]"""
    data = open(ktest, "rb").read()
    assert data[:5] == b"KTEST"
    at = 5

    def word():
        nonlocal at
        value = struct.unpack(">I", data[at:at + 4])[0]
        at += 4
        return value

    def text():
        nonlocal at
        size = word()
        at += size
        return data[at - size:at]

    word()
    for _ in range(word()):
        text()
    word(), word()
    return [(text().decode(), text()) for _ in range(word())]


SAMPLE = 20  # of the folders, evenly


def z3(script):
    return subprocess.run(["z3", "-in", "-T:60"], input=script, stdout=subprocess.PIPE, text=True).stdout


def main():
    folders = test_folders(sys.argv[1]) + sorted(glob.glob(sys.argv[1] + "/bugs/*"))
    assert len(folders) > SAMPLE, len(folders)
    folders = folders[::len(folders) // SAMPLE]  # a process of z3 for each: all would take minutes
    conditions = []
    for folder in folders:
        script = open(os.path.join(folder, "path.smt2")).read()
        answers = z3(script)
        lines = answers.split("\n")
        assert lines[:2] == ["sat", "sat"], (folder, answers)
        found = {}
        for name, index, value in re.findall(r"\(select (\S+) #x(\w+)\)\s+#x(\w\w)\)", answers):
            if not name.startswith("uninit_"):  # memory that was never written: no input
                found.setdefault(name, {})[int(index, 16)] = int(value, 16)
        bytes_ = sorted(bytes(cells[i] for i in range(len(cells))) for cells in found.values())
        expected = sorted(data for _, data in objects(os.path.join(folder, "test.ktest")))
        assert bytes_ == expected, (folder, bytes_, expected)
        # Another byte is not another model: the input is fixed by what follows the first question.
        fixed = script[script.index("; The input"):]
        name, index, value = re.search(r"\(assert \(= \(select (\S+) #x(\w+)\) #x(\w\w)\)\)", fixed).groups()
        other = "(assert (= (select %s #x%s) #x%02x))\n(check-sat)\n" % (name, index, int(value, 16) ^ 1)
        assert z3(script + other).split("\n")[-2] == "unsat", folder
        conditions.append(script[:script.index("(check-sat)")])
    declared = re.compile(r"\(declare-fun.*\n|\(set-.*\n")
    ends = [os.path.join(f, "exit.json") for f in folders]
    complete = [c for c, e in zip(conditions, ends) if '"exit"' in open(e).read()]
    for first, second in zip(complete, complete[1:]):
        both = {line for c in (first, second) for line in declared.findall(c)}
        assertions = declared.sub("", first) + declared.sub("", second)
        settings = sorted(line for line in both if line.startswith("(set-option")) + sorted(line for line in both if line.startswith("(set-logic"))
        script = "".join(settings) + "".join(sorted(both - set(settings))) + assertions
        assert z3(script + "(check-sat)\n").strip() == "unsat", (first, second)


main()
