# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kept-members.py IN OUT: everything of the first document is in the second one, which adds members of results and code flows."""
import json
import sys

before, after = (json.load(open(path)) for path in sys.argv[1:])
for old, new in zip(before["runs"], after["runs"], strict=True):
    for a, b in zip(old.pop("results"), new.pop("results"), strict=True):
        for name, value in a.items():
            if name == "codeFlows":
                assert b[name][:len(value)] == value, (value, b[name])
            elif name == "properties":
                assert value.items() <= b[name].items()
            else:
                assert b[name] == value, (name, value, b[name])
    assert old == new
assert {k: v for k, v in before.items() if k != "runs"} == {k: v for k, v in after.items() if k != "runs"}
