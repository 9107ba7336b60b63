# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SARIF with reports that lead nowhere: without a location, of another file, of a rule that nobody knows."""
import json
import sys


def at(file, line):
    return [{"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}}}]


results = [{"ruleId": "use-after-free", "message": {"text": "nowhere"}},
           {"ruleId": "use-after-free", "message": {"text": "elsewhere"}, "locations": at("other.c", 5)},
           {"ruleId": "use-after-free", "message": {"text": "beyond"}, "locations": at("hash.c", 5000)},
           {"ruleId": "use-after-free", "message": {"text": "comment"}, "locations": at("hash.c", 1)},
           {"ruleId": "style.naming", "message": {"text": "ugly"}, "locations": at("hash.c", 60)},
           {"ruleId": "use-after-free", "message": {"text": "fine"}, "kind": "pass", "locations": at("hash.c", 60)}]
with open(sys.argv[1], "w") as out:
    json.dump({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "other"}}, "results": results}]}, out, indent=1)
