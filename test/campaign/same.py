#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same.py FUZZ.json ESTIMATE.json: what `fathom fuzz` and `fathom estimate` say of one campaign, each with --json, goes together."""
import json
import sys

fuzz, estimate = [json.load(open(name)) for name in sys.argv[1:]]
best, listing = estimate["estimators"][estimate["most_trusted"]], estimate["listing"]
said = fuzz["estimate"]
assert said["estimator"].lower().replace("-", "_").replace(" ", "_") == estimate["most_trusted"], (said, estimate["most_trusted"])
assert said["value"] == min(best["estimate"], estimate["elements"]) and said["ci_90"] == best["ci_blocks"]["0.90"], (said, best)
assert said["trust"] == best["trust"]
assert fuzz["units"] == estimate["units"]
assert said["observed"] == estimate["observed"]
assert fuzz["branches_covered"] == estimate["observed"] + listing["covered_apart"], (fuzz["branches_covered"], estimate["observed"], listing)
assert fuzz["branches_total"] == estimate["elements"] + listing["unreachable"]
assert fuzz["branches_unreachable"] == listing["unreachable"]
assert best["ci_blocks"]["0.90"][1] <= estimate["elements"]
