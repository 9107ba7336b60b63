#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Manual pages against --help, and their roff against groff and mandoc.

    test/install/check-manual.py MAN1 BIN

- groff prints no warning about a page, and mandoc, if it is installed, none either.
- Each page has all sections, in the order of man-pages(7).
- Every option of a --help is in the page's OPTIONS, with the words that explain it, and in no other order of options.
"""
import os
import re
import shutil
import subprocess
import sys

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
MORE = {"fathom": ["SUBCOMMANDS"], "fathom-cc": ["ENVIRONMENT"]}


def said(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more).stdout


def plain(path):
    """The page as a reader sees it, without hyphenation and columns."""
    page = said(["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-o", "-P-u", "-rLL=2000n", "-rHY=0", path])
    return re.sub(r"\s+", " ", page)


def problems_of(name, path, binaries):
    warnings = said(["groff", "-man", "-Tutf8", "-ww", "-z", path])
    if shutil.which("mandoc"):
        warnings += said(["mandoc", "-T", "lint", "-W", "warning", path])
    yield from ("%s: %s" % (name, line) for line in warnings.splitlines())
    with open(path) as file:
        sections = [s.strip('"') for s in re.findall(r"^\.SH (.*)", file.read(), re.M)]
    wanted = [s for s in sections if s in SECTIONS]
    if wanted != SECTIONS or sorted(sections) != sorted(SECTIONS + MORE.get(name, [])):
        yield "%s: sections %s" % (name, sections)
    if name == "fathom-cc":
        helps = [said([os.path.join(binaries, "fathom-cc"), "--fathom-help"])]
    else:
        command = [os.path.join(binaries, "fathom")] + name.split("-")[1:]
        helps = [said(command + ["--help"])]
        inner = re.findall(r"^  (\w+) +\S", helps[0].split("Subcommands:")[1].split("\n\n")[0], re.M) if "Subcommands:" in helps[0] and name != "fathom" else []
        helps += [said(command + [own, "--help"]) for own in inner]
    text, count = plain(path), 0
    for line in "\n".join(helps).splitlines():
        option = re.match(r" +(-\w,)?(--[a-z][\w-]*)", line)
        if option:
            count += 1
            if not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(option.group(2)), text.partition(" OPTIONS ")[2].rpartition(" EXIT STATUS ")[0]):
                yield "%s: OPTIONS does not have %s" % (name, option.group(2))
    if count < 2:
        yield "%s: the help was not understood" % name


def main():
    manual, binaries = sys.argv[1:]
    pages = sorted(os.listdir(manual))
    problems = []
    for page in pages:
        with open(os.path.join(manual, page)) as file:
            if not file.read().startswith(".so "):
                problems += problems_of(page[:-2], os.path.join(manual, page), binaries)
    print("\n".join(problems))
    print("%d pages" % len(pages))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
