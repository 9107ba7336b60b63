# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-suite.py DIR: the suite of a run is what suite.json says, in few files."""
import json
import os
import sys

folder = sys.argv[1]
suite = json.load(open(os.path.join(folder, "suite", "suite.json")))
assert suite["sides"] == suite["sides_again"] > 0, suite
for kind in ("inputs", "bugs"):
    there = {"suite/%s/%s" % (kind, name) for name in os.listdir(os.path.join(folder, "suite", kind))}
    assert there == {one["file"] for one in suite[kind]}, (there, suite[kind])
    for one in suite[kind]:
        assert os.path.getsize(os.path.join(folder, one["file"])) == one["bytes"], one
        assert os.path.exists(os.path.join(folder, one["from"])), one
assert len(suite["inputs"]) < suite["candidates"], suite
for bug in suite["bugs"]:
    assert bug["shown_natively"] and bug["bytes"] <= bug["bytes_found"], bug
    assert bug["executions"] <= 2 * (1000 + 10), bug
    # Three bytes at least: the program reads so many before it does anything.
    assert bug["bytes"] == 3, bug
