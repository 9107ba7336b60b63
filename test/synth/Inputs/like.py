#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""like.py FIRST SECOND: FIRST was made like some program, SECOND like FIRST's own program, built by fathom-cc.

What FIRST says of itself, counted in the C that was written and in its grammar, has to be what SECOND read in the bitcode that a
compiler made of it: function by function.
"""
import json
import sys

first, second = (json.load(open(folder + "/grammar.json")) for folder in sys.argv[1:])
said = {f["name"]: f["complexity"] for f in first["functions"]}
read = {n["name"].strip("<>"): n["original_complexity"] for n in second["nonterminals"]}
main = {"main", "run"}
assert set(read) - main == set(said), set(read) ^ set(said)
for name, complexity in said.items():
    assert read[name] == complexity, "%s: %d in the source, %d in the bitcode" % (name, complexity, read[name])
generated, original = first["summary"]["like"]["generated"], second["summary"]["like"]["original"]
assert generated["recursive"] == original["recursive"], (generated, original)
helpers = [name for name in said if not name.startswith("parse_")]
loops_of_main = 2
assert generated["loops"] + loops_of_main == original["loops"], (generated, original)
# main, run, LLVMFuzzerTestOneInput before it, at most four helpers behind it
assert 3 <= original["depth"] - generated["depth"] <= 7, (generated, original)
print("as said: %d functions, %d of them helpers" % (len(said), len(helpers)))
