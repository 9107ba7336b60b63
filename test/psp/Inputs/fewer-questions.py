# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What guesses by path have saved, of the results of exploring plainly, with a test for each path, and without."""
import json
import os
import sys

plain, *others = ((os.path.basename(d), json.load(open(d + "/stats.json")), json.load(open(d + "/ledger.json"))["entries"]) for d in sys.argv[1:])
for name, stats, ledger in others:
    guesses = stats["guesses"]
    text = "%s: %d guesses, %d wrong" % (name, guesses["feasible"], guesses["wrong"])
    if guesses["paths"]:
        told = sum(e["count"] for e in ledger if e["category"] == "assumed-feasible")
        text += ", %d paths unasked, %s" % (guesses["paths"], "all in the ledger" if told == guesses["paths"] else "%d in the ledger" % told)
    print(text)
print("fewer questions" if others[-1][1]["queries"] < plain[1]["queries"] else [s["queries"] for _, s, _ in [plain, *others]])
