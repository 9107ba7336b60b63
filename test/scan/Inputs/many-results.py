# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A SARIF document with many results, as fathom scan writes them: use after free, from line to line of one file.

    many-results.py COUNT FILE SOURCE_LINE SINK_LINE [LINES] > many.sarif

LINES: sinks take turns on so many lines, from SINK_LINE on.
"""
import json
import sys

count, file, source, sink = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
lines = int(sys.argv[5]) if len(sys.argv) > 5 else 1


def location(line, text):
    return {"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}},
            "logicalLocations": [{"name": "f", "kind": "function"}], "message": {"text": text}}


print('{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"tool": {"driver": {"name": "fathom"}}, "results": [')
for i in range(count):
    at = sink + i % lines
    steps = [{"location": location(source, "free frees the memory"), "executionOrder": 1, "importance": "essential"},
             {"location": location(at, "freed memory is read"), "executionOrder": 2, "importance": "essential"}]
    result = {"ruleId": "use-after-free", "level": "warning", "message": {"text": "freed memory is read; it was freed at line %d" % source},
              "locations": [location(at, "")], "codeFlows": [{"threadFlows": [{"locations": steps}]}],
              "partialFingerprints": {"fathomDefect/v1": "%016x" % i}, "properties": {"cwe": 416, "doubts": 0}}
    print(json.dumps(result) + ("," if i + 1 < count else ""))
print("]}]}")
