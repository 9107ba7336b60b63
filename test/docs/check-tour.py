#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/tour.md: anchors, files, functions and commands.

    test/docs/check-tour.py TMP

Each stop N names a file first; that file has to hold `TOUR(N)`. Every function in backquotes that follows a file (`file`, `function`)
has to occur in it. Each fenced command runs from the repository's root and has to end with 0. The solver stages of a stop's table, and their numbers, have to be
those that answer something in its command; the text names all that the command's output has.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build"))


def other_stages(body, summary):
    """Differences between a table of stages and those that gave answers."""
    said = [(name, *map(int, numbers)) for name, *numbers in re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", body, re.M)]
    told = [(s["name"], s["asked"], s["sat"], s["unsat"]) for s in summary["solver_stages"] if s["sat"] or s["unsat"]]
    if len(told) < 3:
        yield "only %d stages answer anything, which shows nothing" % len(told)
    for s in summary["solver_stages"]:
        if not re.search(r"\b%s\b" % s["name"], body, re.I):
            yield "the stage %s of the output is not named" % s["name"]
    if said != told:
        yield "the table says %s, the command %s" % (said, told)


def main():
    out = os.path.abspath(sys.argv[1])
    problems = []
    text = open(os.path.join(ROOT, "docs", "tour.md")).read()
    stops = re.split(r"^## (\d) .*$", text, flags=re.M)[1:]
    if len(stops) != 18:
        problems.append("docs/tour.md has %d stops, expected 9" % (len(stops) // 2))
    for number, body in zip(stops[::2], stops[1::2]):
        files = re.findall(r"`([\w/.-]+\.(?:cpp|h|def|c))`(?:, `([\w:]+)`)?", body)
        if not files:
            problems.append("stop %s names no file" % number)
            continue
        for name, function in files:
            path = os.path.join(ROOT, name)
            if "/" not in name:
                continue
            if not os.path.exists(path):
                problems.append("stop %s: %s does not exist" % (number, name))
            elif function and function.split("::")[-1] not in open(path).read():
                problems.append("stop %s: %s has no %s" % (number, name, function))
        first = os.path.join(ROOT, files[0][0])
        if os.path.exists(first) and "TOUR(%s)" % number not in open(first).read():
            problems.append("stop %s: %s has no anchor TOUR(%s)" % (number, files[0][0], number))
        commands = re.findall(r"```sh\n(.*?)```", body, re.S)
        if not commands:
            problems.append("stop %s has no command" % number)
        for command in commands:
            # The build folder first, and only where a word begins: the output's name has a build/ in it too.
            script = re.sub(r"(?<![\w/.-])build/", lambda _: BUILD + "/", command).replace("fathom-out-tour", out)
            done = subprocess.run(["sh", "-ec", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, timeout=150)
            if done.returncode != 0:
                problems.append("stop %s: status %d: %s\n%s" % (number, done.returncode, command.strip(), done.stdout.decode(errors="replace")[-1500:]))
            elif "| stage |" in body:
                problems += ["stop %s: %s" % (number, p) for p in other_stages(body, json.loads(done.stdout))]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
