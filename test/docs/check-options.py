#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation and `fathom SUBCOMMAND --help` name the same options.

    test/docs/check-options.py FATHOM

- Every long option that a --help prints is mentioned in README.md or in a page of docs/.
- Every long option that these pages name exists in a --help of fathom, or is listed below as another tool's.
- Wherever a Markdown file or the examples of a --help show a command `fathom SUBCOMMAND ...`, its options are those of that subcommand.
- Every --help has an example.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Other tools' options that the documentation names.
OTHERS = {
    "fathom-cc, and what follows --": ["--fathom-as-built", "--fathom-end", "--fathom-help"],
    "compilers and linkers": ["--analyze", "--analyzer-output", "--build-id", "--coverage", "--end-group", "--start-group", "--target", "--unresolved-symbols", "--whole-archive", "--wrap"],
    "dev, scripts and benchmarks": ["--analysers", "--bias", "--bounds", "--capacity-sweep", "--coreutils", "--compare", "--drivers", "--every", "--fast", "--filter", "--install", "--labels", "--large", "--list", "--models", "--planted", "--modes", "--mutants",
                                    "--nightly", "--prefix", "--preset", "--program", "--searches", "--seconds", "--sizes", "--strip", "--subjects", "--table", "--variant", "--without"],
    "GoogleTest and lit": ["--gtest_also_run_disabled_tests", "--gtest_brief", "--gtest_filter", "--gtest_output", "--param"],
    "programs": ["--set"],
    "Slurm": ["--cpus-per-task", "--mem", "--mem-per-cpu", "--ntasks", "--requeue"],
}
OPTION = re.compile(r"(?<![\w/-])--[a-z][\w-]*\w")
# Up to the end of the code span, the pipe, the comment or the line, or to --, behind which the program's arguments are.
COMMAND = re.compile(r"(?<![\w.-])fathom +([a-z]+)((?:\\\n|(?! -- )[^`|#;&\n])*)")


def help_of(command):
    done = subprocess.run(command + ["--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    return done.stdout


def options_of(text):
    """What a line of the help declares: `  -o,--output DIR   the results folder`."""
    return set(re.findall(r"^ +(?:-\w,)?(--[a-z][\w-]*)", text, re.M))


def subcommands_of(text):
    return re.findall(r"^  (\w+) +\S", text.split("Subcommands:")[1].split("\n\n")[0], re.M) if "Subcommands:" in text else []


def foreign_options(text, known):
    """Line, subcommand and option wherever a command has an option that its subcommand does not have."""
    for command in COMMAND.finditer(text):
        name, rest = command.groups()
        inner = "%s %s" % (name, (rest.split() or [""])[0])
        name = inner if inner in known else name
        for option in OPTION.findall(rest) if name in known else []:
            if option not in known[name] | {"--help"}:
                yield text.count("\n", 0, command.start()) + 1, name, option


def main():
    fathom = sys.argv[1]
    helps = {"": help_of([fathom])}
    subcommands = subcommands_of(helps[""])
    for name in subcommands:
        helps[name] = help_of([fathom, name])
        for inner in subcommands_of(helps[name]):  # fathom psp triage
            helps["%s %s" % (name, inner)] = help_of([fathom, name, inner])
    known = {name: options_of(text) for name, text in helps.items()}
    exists = set().union(*known.values()).union(*OTHERS.values())

    problems = []
    for name, text in helps.items():
        if not re.search(r"^examples?:\n.*fathom", text, re.M):
            problems.append("fathom %s --help: no example" % name)
    # Of a help, its examples: the sentences before them speak of several commands at a time.
    texts = [("fathom %s --help" % name, re.split(r"^examples?:\n", text, flags=re.M)[-1]) for name, text in helps.items()]
    files = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    texts += [(name, open(os.path.join(ROOT, name)).read()) for name in files if os.path.exists(os.path.join(ROOT, name))]
    for where, text in texts:
        for line, name, option in foreign_options(text, known):
            problems.append("%s:%d: fathom %s has no %s" % (where, line, name, option))
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
