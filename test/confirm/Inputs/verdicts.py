# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are these the verdicts of fathom confirm --json? verdicts.py FILE MESSAGE=VERDICT[:CUT]..."""
import json
import sys

reports = {r["message"]: r for r in json.load(open(sys.argv[1]))["reports"]}
for wanted in sys.argv[2:]:
    message, verdict = wanted.split("=")
    r = reports[message]
    said = r["verdict"] if ":" not in verdict else "%s:%s" % (r["verdict"], r.get("cut"))
    assert said == verdict, "%s: expected %s, and it is %s: %s" % (message, verdict, said, r)
