#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""contract.py DIR: the files of `fathom synth` have what they are to have."""
import json
import os
import sys

folder = sys.argv[1]
for name in ("program.c", "program.h", "main.c", "build.sh", "grammar.json", "truth.json", "seeds"):
    assert os.path.exists(os.path.join(folder, name)), name
assert os.access(folder + "/build.sh", os.X_OK)
truth = json.load(open(folder + "/truth.json"))
grammar = json.load(open(folder + "/grammar.json"))
lines = {}
for kind in ("functions", "statements", "branches"):
    assert sorted(truth[kind]) == ["reachable", "unreachable"]
    for half in ("reachable", "unreachable"):
        assert truth[kind][half], (kind, half)
        for e in truth[kind][half]:
            text = lines.setdefault(e["file"], open(os.path.join(folder, e["file"])).read().split("\n"))
            assert 1 <= e["line"] <= len(text), e
            assert ("reason" in e) == (half == "unreachable"), e
            if "guard" in e:
                assert "if (" in text[e["guard"] - 1], e
            if kind == "functions":
                assert e["name"] + "(" in text[e["line"] - 1], e
        assert grammar["summary"][kind][half] == len(truth[kind][half])
rules = grammar["rules"]
assert grammar["start"] in rules
for name, alternatives in rules.items():
    for rule in alternatives:
        for symbol in rule:
            if symbol.startswith("<") and len(symbol) > 1:
                assert symbol in rules, symbol
            else:
                assert len(symbol) == 1 or symbol in grammar["terminals"], symbol
reachable = {e["name"] for e in truth["functions"]["reachable"]}
for n in grammar["nonterminals"]:
    assert n["reachable"] == (n["function"] in reachable), n
assert all(f["complexity"] >= 1 for f in grammar["functions"])
assert len(os.listdir(folder + "/seeds")) == grammar["knobs"]["seeds"]
print("contract kept")
