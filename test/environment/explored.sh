#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# explored.sh TMP TOOL OPTIONS...: explores a coreutils tool for a fixed number of instructions and replays the tests. Expects at
# least ten tests, no bug but leaks (tools leave freeing to the kernel), and no divergence.
set -eu
tmp=$1.$2 tool=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${FATHOM_BUILD:-$root/build}
program=$build/subjects/coreutils/src/$tool
timeout -k 5 150 "$build/bin/fathom" explore "$program" -o "$tmp" --force --check-leaks=0 --json --max-instructions 5000000 "$@" >"$tmp.explore"
timeout -k 5 150 "$build/bin/fathom" replay "$program" "$tmp" --json >"$tmp.replay"
python3 - "$tool" "$tmp.explore" "$tmp.replay" <<'PYTHON'
import json, sys
tool, explored, replayed = sys.argv[1], json.load(open(sys.argv[2])), json.load(open(sys.argv[3]))
wrong = ["bug: %(kind)s in %(function)s at %(file)s:%(line)s: %(message)s" % b for b in explored["bugs"]]
if explored["tests"] < 10:
    wrong.append("only %d tests" % explored["tests"])
if replayed["divergence"]["compared"] < explored["tests"] - explored["partial_tests"]:
    wrong.append("%d tests, only %d of them compared" % (explored["tests"], replayed["divergence"]["compared"]))
for key, field in (("exit_status", "differ"), ("output", "stdout_differ"), ("output", "stderr_differ"), ("divergence", "diverged")):
    if replayed[key][field]:
        wrong.append("%s %s: %d" % (key, field, replayed[key][field]))
if wrong:
    print("%s:\n  %s" % (tool, "\n  ".join(wrong)))
    print(json.dumps(replayed["differences"][:3], indent=1))
    sys.exit(1)
PYTHON
