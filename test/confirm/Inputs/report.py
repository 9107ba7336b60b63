# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SARIF for marked lines of a source file: report.py [--role=ROLE] [--column-of=TEXT] SOURCE RULE OUT MARK...

A report's sink is the line that ends in `// MARK`. Its source is the line with `// MARK: source`, or the line before the sink; `MARK=TEXT` gives it
the message TEXT. With --role, the source has this role, as in the reports of `fathom scan`. With --column-of, the sink's column is that of TEXT in its line.
"""
import json
import sys

options = dict(argument[2:].split("=", 1) for argument in sys.argv[1:] if argument.startswith("--"))
source, rule, out, *marks = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
lines = [line.rstrip() for line in open(source)]


def line_of(text):
    found = [i + 1 for i, line in enumerate(lines) if line.endswith("// " + text)]
    return found[0] if found else 0


def at(line, column=0):
    region = {"startLine": line, "startColumn": column} if column else {"startLine": line}
    return {"physicalLocation": {"artifactLocation": {"uri": source}, "region": region}}


results = []
for mark in marks:
    mark, _, text = mark.partition("=")
    sink = line_of(mark)
    assert sink, mark
    flow = [line_of(mark + ": source") or sink - 1, sink]
    steps = [{"location": at(line)} for line in flow]
    column = lines[sink - 1].index(options["column-of"]) + 1 if "column-of" in options else 0
    if "role" in options:
        steps[0]["properties"] = {"role": options["role"]}
    if text:
        steps[0]["location"]["message"] = {"text": text}
    results.append({"ruleId": rule, "message": {"text": mark}, "locations": [at(sink, column)],
                    "codeFlows": [{"threadFlows": [{"locations": steps}]}]})
with open(out, "w") as file:
    json.dump({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "marks"}}, "results": results}]}, file)
