#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation and `fathom SUBCOMMAND --help` name the same options.

    test/docs/check-options.py FATHOM

Every long option that a --help prints is mentioned in README.md or in a page of docs/. Every long option that these pages name exists in a
--help of fathom, or is listed below as another tool's.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Other tools' options that the documentation names.
OTHERS = {
    "fathom-cc, and what follows --": ["--fathom-as-built", "--fathom-end"],
    "compilers and linkers": ["--analyze", "--analyzer-output", "--build-id", "--coverage", "--end-group", "--start-group", "--target", "--unresolved-symbols", "--whole-archive", "--wrap"],
    "dev, scripts and benchmarks": ["--bounds", "--capacity-sweep", "--coreutils", "--compare", "--drivers", "--fast", "--filter", "--labels", "--large", "--list", "--modes", "--mutants", "--nightly", "--prefix", "--preset", "--program", "--seconds",
                                    "--subjects", "--table"],
    "GoogleTest and lit": ["--gtest_also_run_disabled_tests", "--gtest_brief", "--gtest_filter", "--gtest_output", "--param"],
    "programs": ["--set"],
}
OPTION = re.compile(r"(?<![\w/-])--[a-z][\w-]*\w")


def help_of(command):
    done = subprocess.run(command + ["--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    return done.stdout


def options_of(text):
    """What a line of the help declares: `  -o,--output DIR   the results folder`."""
    return set(re.findall(r"^ +(?:-\w,)?(--[a-z][\w-]*)", text, re.M))


def subcommands_of(text):
    return re.findall(r"^  (\w+) +\S", text.split("Subcommands:")[1].split("\n\n")[0], re.M) if "Subcommands:" in text else []


def main():
    fathom = sys.argv[1]
    top = help_of([fathom])
    subcommands = subcommands_of(top)
    known = {}
    for name in subcommands:
        text = help_of([fathom, name])
        known[name] = options_of(text)
        for inner in subcommands_of(text):  # fathom psp triage
            known["%s %s" % (name, inner)] = options_of(help_of([fathom, name, inner]))
    known[""] = options_of(top)
    exists = set().union(*known.values()).union(*OTHERS.values())

    problems = []
    mentioned = set()
    pages = [os.path.join(ROOT, "README.md")] + sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))
    for page in pages:
        for number, line in enumerate(open(page), 1):
            for option in OPTION.findall(line):
                mentioned.add(option)
                if option not in exists:
                    problems.append("%s:%d: no --help has %s" % (os.path.relpath(page, ROOT), number, option))
    for name, options in known.items():
        for option in sorted(options - mentioned - {"--help", "--version"}):
            problems.append("fathom %s: no page of the documentation mentions %s" % (name, option))
    for option in sorted(set().union(*OTHERS.values()) - mentioned):
        problems.append("check-options.py: no page names %s" % option)
    if len(subcommands) < 8 or len(known["explore"]) < 60:
        problems.append("the help was not understood: %d subcommands, %d options of explore" % (len(subcommands), len(known["explore"])))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
