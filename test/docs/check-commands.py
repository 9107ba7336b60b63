#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Markdown pages tell their readers to run or open is there.

    test/docs/check-commands.py

`./dev COMMAND` is one that ./dev help lists, `./dev bench NAME` one that scripts/bench lists, `./dev subject NAME` one with a recipe, and every path below
scripts/, bench/, test/, unittests/ and examples/ a file or folder of the repository.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = re.compile(r"(?<![\w/.-])(?:scripts|bench|test|unittests|examples)/[\w./*-]*[\w*]")


def listed(program):
    """The first words of the indented lines of a help."""
    text = subprocess.run([os.path.join(ROOT, *program), "--help"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"^ {2,3}([a-z][\w-]*) ", text, re.M))


def main():
    commands, benches = listed(["dev"]), listed(["scripts", "bench"])
    subjects = {os.path.basename(f)[:-len(".sh")] for f in glob.glob(os.path.join(ROOT, "scripts", "subjects", "*.sh"))}
    problems, seen = [], 0
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    for name in (n for n in names if os.path.exists(os.path.join(ROOT, n))):
        for number, line in enumerate(open(os.path.join(ROOT, name)), 1):
            found = [("./dev " + word, word in commands | {"help"}) for word in re.findall(r"\./dev ([a-z][\w-]*)", line)]
            found += [("./dev bench " + word, word in benches) for word in re.findall(r"\./dev bench ([a-z][\w-]*)", line)]
            found += [("./dev subject " + word, word in subjects) for word in re.findall(r"\./dev subject ([a-z][\w.-]*\w)", line)]
            found += [(path, bool(glob.glob(os.path.join(ROOT, path)))) for path in PATH.findall(line) if "NAME" not in path]
            seen += len(found)
            problems += ["%s:%d: there is no %s" % (name, number, what) for what, isThere in found if not isThere]
    if len(commands) < 7 or len(benches) < 12 or seen < 200:
        problems.append("not understood: %d commands, %d benchmarks, %d places" % (len(commands), len(benches), seen))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
