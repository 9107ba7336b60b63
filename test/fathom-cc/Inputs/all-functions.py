#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""all-functions.py PROGRAM.bc OBJECT...: fails if a function that an object defines (as its native
symbol table says) is not defined in the whole program's bitcode, or more often in the objects than in
the bitcode (static functions of one name)."""
import collections
import re
import subprocess
import sys


def functions(tool, paths):
    out = subprocess.run([tool, "--defined-only", "--quiet", *paths], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"^[0-9a-f-]* [TtWVi] (\S+)$", out, re.M)
    # Merging renames the second static function f to f.1, f.2, ...
    return collections.Counter(names)


program, *objects = sys.argv[1:]
merged = functions("llvm-nm", [program])
base = collections.Counter()
for name, count in merged.items():
    base[re.sub(r"(\.\d+)+$", "", name)] += count
missing = []
wanted = functions("llvm-nm", objects)
for name, count in sorted(wanted.items()):
    if base[name] < count and merged[name] < count:
        missing.append(f"{name} ({count} in objects, {base[name]} in bitcode)")
print(f"{sum(wanted.values())} functions in {len(objects)} objects, {len(missing)} missing")
for line in missing:
    print("missing:", line)
sys.exit(bool(missing))
