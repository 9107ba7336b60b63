# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are the sides that a run left out on a guess in its ledger, each of them?"""
import json
import os
import sys

guesses = json.load(open(os.path.join(sys.argv[1], "stats.json")))["guesses"]
entries = json.load(open(os.path.join(sys.argv[1], "ledger.json")))["entries"]
told = sum(e["count"] for e in entries if e["category"] == "assumed-infeasible")
print("%d sides left, %d told" % (guesses["infeasible"], told))
