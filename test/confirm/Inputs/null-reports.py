# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""null-reports.py OUT [BASE] FILE...: SARIF with a null dereference at each line that is marked with REPORT, which begins at the first line of code
with a null pointer before it. BASE: paths are below originalUriBaseIds, which has this folder."""
import json
import os
import re
import sys

out, files = sys.argv[1], sys.argv[2:]
base = files.pop(0) if files and os.path.isdir(files[0]) else None


def at(path, line):
    where = {"uri": os.path.relpath(path, base), "uriBaseId": "SRC"} if base else {"uri": "file://" + path}
    return {"physicalLocation": {"artifactLocation": where, "region": {"startLine": line}}}


results = []
for path in files:
    lines = open(path).read().split("\n")
    for number, line in enumerate(lines, 1):
        if line.endswith("// REPORT"):
            source = max(n for n in range(1, number) if re.search(r"= 0;|\? 0 :|: 0;", lines[n - 1]))
            flow = [{"location": {**at(path, source), "message": {"text": "null pointer value"}}}, {"location": at(path, number)}]
            results.append({"ruleId": "null-dereference", "message": {"text": os.path.basename(path)}, "locations": [at(path, number)],
                            "codeFlows": [{"threadFlows": [{"locations": flow}]}], "partialFingerprints": {"own": os.path.basename(path)},
                            "baselineState": "unchanged" if results else "new"})
run = {"tool": {"driver": {"name": "other"}}, "results": results}
if base:
    run["originalUriBaseIds"] = {"SRC": {"uri": "file://" + base + "/"}}
with open(out, "w") as to:
    json.dump({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}, to, indent=2)
