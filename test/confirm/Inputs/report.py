# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SARIF for marked lines of a source file: report.py SOURCE RULE OUT MARK...

A report's sink is the line that ends in `// MARK`. Its source is the line with `// MARK: source`, or the line before the sink; `MARK=TEXT` gives it
the message TEXT.
"""
import json
import sys

source, rule, out, *marks = sys.argv[1:]
lines = [line.rstrip() for line in open(source)]


def line_of(text):
    found = [i + 1 for i, line in enumerate(lines) if line.endswith("// " + text)]
    return found[0] if found else 0


def at(line):
    return {"physicalLocation": {"artifactLocation": {"uri": source}, "region": {"startLine": line}}}


results = []
for mark in marks:
    mark, _, text = mark.partition("=")
    sink = line_of(mark)
    assert sink, mark
    flow = [line_of(mark + ": source") or sink - 1, sink]
    steps = [{"location": at(line)} for line in flow]
    if text:
        steps[0]["location"]["message"] = {"text": text}
    results.append({"ruleId": rule, "message": {"text": mark}, "locations": [at(sink)],
                    "codeFlows": [{"threadFlows": [{"locations": steps}]}]})
with open(out, "w") as file:
    json.dump({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "marks"}}, "results": results}]}, file)
