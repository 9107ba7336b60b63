# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many-reports.py OUT FILE LINE N: SARIF with N results, every other one at this line, the others at lines that do not exist."""
import json
import sys

out, file, line, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with open(out, "w") as to:
    to.write('{"version": "2.1.0", "runs": [{"results": [')
    for i in range(count):
        at = {"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line if i % 2 else 100000 + i}}}
        to.write(",\n" * (i > 0) + json.dumps({"ruleId": "null-dereference", "message": {"text": "report %d, %s" % (i, "x" * 300)}, "locations": [at]}))
    to.write('], "tool": {"driver": {"name": "many"}}}]}')
