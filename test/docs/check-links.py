#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Relative links of all Markdown files; and that every [key] of a source comment that looks like a reference is in references.bib."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    problems = []
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in names:
        path = os.path.join(ROOT, name)
        if not name.endswith(".md") or not os.path.exists(path):
            continue
        for number, line in enumerate(open(path), 1):
            if re.search(r"(?<![\w/])/(home|root|work|Users)/", line):
                problems.append("%s:%d: names a folder of somebody's machine" % (name, number))
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
                if "://" in target:
                    continue
                there = os.path.normpath(os.path.join(os.path.dirname(path), target))
                if not there.startswith(ROOT):
                    problems.append("%s:%d: %s leads out of the repository" % (name, number, target))
                elif not os.path.exists(there):
                    problems.append("%s:%d: %s does not exist" % (name, number, target))
    keys = set(re.findall(r"^@\w+\{(\w+),", open(os.path.join(ROOT, "docs", "references.bib")).read(), re.M))
    for name in names:
        path = os.path.join(ROOT, name)
        if not re.search(r"\.(h|cpp)$", name) or not os.path.exists(path):
            continue
        for number, line in enumerate(open(path, errors="replace"), 1):
            match = re.search(r"// Source: +\[(\w+)\]", line)
            if match and match[1] not in keys:
                problems.append("%s:%d: [%s] is not in docs/references.bib" % (name, number, match[1]))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
