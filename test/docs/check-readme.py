#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command of README.md works as it is written.

    test/docs/check-readme.py TMP

Commands are the lines of indented blocks, what follows the prompts of console blocks, and code spans that begin with one of our programs. They
run one after the other, as a reader types them, in one folder TMP that has what the reader has: `build` and `examples` of this repository, a C file prog.c, and a
project with a `configure` script. Three kinds of commands are not run as they stand:

- `./dev WORD`, which builds everything: `./dev help` has to list WORD.
- a form such as `fathom repair --at FILE:LINE`, without a program: the subcommand's --help has to have its options.
- `--max-time 60s` becomes 3s.
"""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build"))
OURS = re.compile(r"(\w+=\S+ )*(fathom|fathom-cc|\./dev|\./configure|sh|export)( |$)")
LIMIT = 120  # seconds for one command
FAILS = {"sh out/bugs/000001/replay.sh": 136}  # the bug: the program ends by SIGFPE


def commands(text):
    """Commands of the page in their order."""
    fence = None
    for line in text.splitlines():
        if line.startswith("```"):
            fence = None if fence else line[3:] or "text"
        elif fence:
            if fence == "console" and line.startswith("$ "):
                yield line[2:]
        elif line.startswith("    "):
            yield re.sub(r"\s{2,}#.*", "", line.strip())
        else:
            for span in re.findall(r"`([^`]+)`", line):
                if OURS.match(span):
                    yield span


def said(command, folder, status=0):
    """Standard output and errors; None and a reason if it did not end as it should."""
    try:
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, "not done after %d s" % LIMIT
    if done.returncode != status:
        return None, "status %d, expected %d\n%s" % (done.returncode, status, done.stdout[-1500:])
    return done.stdout, ""


def problem(command, exports, folder):
    """What is wrong with a command; "" if nothing is."""
    words = command.split()
    if words[0] == "./dev":
        listed = subprocess.run([os.path.join(ROOT, "dev"), "help"], stdout=subprocess.PIPE, text=True, check=True).stdout
        return "" if re.search(r"^ +%s\b" % re.escape(words[1]), listed, re.M) else "./dev help does not list it"
    if words[0] == "fathom-cc" and len(words) == 1:
        return said(exports + "fathom-cc --version", folder)[1]
    name = 3 if words[1] == "psp" else 2  # fathom psp triage
    if words[0] == "fathom" and words[1] != "doctor" and (len(words) == name or words[name].startswith("--")):
        text, why = said(exports + " ".join(words[:name]) + " --help", folder)
        missing = [w for w in words[name:] if w.startswith("--") and not re.search(r"^ .*%s\b" % re.escape(w.split("=")[0]), text or "", re.M)]
        return why or ", ".join("--help does not have " + w for w in missing)
    return said(exports + re.sub(r"(?<=--max-time )60s", "3s", command), folder, FAILS.get(command, 0))[1]


def main():
    folder = os.path.abspath(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.symlink(BUILD, os.path.join(folder, "build"))
    shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
    shutil.copy(os.path.join(ROOT, "examples", "divide.c"), os.path.join(folder, "prog.c"))
    with open(os.path.join(folder, "configure"), "w") as script:
        script.write("#!/bin/sh\nprintf 'all: made\\nmade: prog.c\\n\\t%s -g prog.c -o made\\n' \"${CC:-cc}\" > Makefile\n")
    os.chmod(os.path.join(folder, "configure"), 0o755)

    problems, exports, ran = [], "", 0
    for command in commands(open(os.path.join(ROOT, "README.md")).read()):
        if command.startswith("export "):
            exports += command + "; "
            continue
        why = problem(command, exports, folder)
        ran += 1
        if why:
            problems.append("README.md: %s: %s" % (command, why))
    if not exports:
        problems.append("README.md does not say how programs are found")
    if ran < 20:
        problems.append("only %d commands were found in README.md" % ran)
    for name in ("made.bc", "prog.bc"):
        if not os.path.exists(os.path.join(folder, name)):
            problems.append("README.md: no command made %s" % name)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
