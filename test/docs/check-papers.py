#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/papers.md names is there, and no numbered item of a paper is missing.

    test/docs/check-papers.py FATHOM [PAGE]

- Each file and folder that it names is in the repository; a word in parentheses behind a file is in that file.
- Each unit test that it names exists; so does each benchmark, script and subcommand, with the options that it names.
- A row about a definition or method has code and a test, or says "not built" of both. A row about a table or figure has a command.
- A figure of Fathom is in the section that its row links to, or the row says that it was not measured.
- Each item of ITEMS has a row in the tables of its paper.
"""
import glob
import importlib.util
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def module(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), os.path.join(HERE, name + ".py"))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


sys.dont_write_bytecode = True
LINKS, OPTIONS = module("check-links"), module("check-options")


def numbered(word, first, last, prefix=""):
    return ["%s %s%d" % (word, prefix, n) for n in range(first, last + 1)]


# By heading: what the paper numbers.
ITEMS = {
    "State merging with quantifiers": ["Def. 2.1"] + numbered("Def.", 1, 6, "3.") + ["Thm. 3.7", "Lemma 3.8", "Def. 3.9", "Lemma 3.10"] + numbered("Fig.", 1, 4) + numbered("Table", 1, 7),
    "Colossus: deferred concretization": ["Alg. 1", "Def. 3.1", "Def. 3.2", "Table 1"] + numbered("Listing", 1, 3) + numbered("Fig.", 1, 11) + ["RQ%d" % n for n in range(1, 8) if n != 4] + ["RQ4"],
    "PSP: program state probability": ["Def. 1", "Hypothesis 1", "Alg. 1"] + numbered("Eq.", 1, 12) + ["Fig. 1a", "Fig. 1b", "Fig. 1c"] + numbered("Fig.", 2, 6) + ["Table " + n for n in "I II III IV V VI".split()],
    "SATracer: vulnerable paths": ["Def. 1", "Def. 2", "Rule 1", "Rule 2"] + numbered("Fig.", 1, 10) + ["Table " + n for n in "I II III IV".split()],
    "Reliability of coverage estimators": numbered("Eq.", 1, 3) + ["Fig. 1", "Fig. 2", "Table I", "RQ1", "RQ2"],
}
PATH = re.compile(r"(?:lib|unittests|test|bench|scripts|examples|tools|runtime|docs)/[\w./-]*\w")
SYMBOL = re.compile(r"`(%s)` \(`([^`]+)`\)" % PATH.pattern)
UNIT_TEST = re.compile(r"`([A-Z]\w+)\.([A-Z]\w+)`")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
LINK = re.compile(r"\[[^]]*\]\(([^)#\s]*)#([\w-]+)\)")


def unit_tests():
    found = set()
    for path in glob.glob(os.path.join(ROOT, "unittests", "**", "*.cpp"), recursive=True):
        found |= set(re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", open(path).read(), re.M))
    return found


def section(page, anchor):
    """The text below a heading, with that of the headings below it; "" if there is none."""
    out, level, fenced = [], 0, False
    for line in open(page):
        fenced ^= line.startswith("```")
        heading = None if fenced else re.match(r"(#+) +(.*?) *#* *$", line)
        if heading and level and len(heading[1]) <= level:
            break
        if heading and not level and LINKS.slug(heading[2]) == anchor:
            level = len(heading[1])
        if level:
            out.append(line)
    return "".join(out)


def tables(text):
    """Heading, line number, cells by column, for each row of a table about items."""
    heading, columns = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            heading = line[3:].strip()
        if not line.startswith("|"):
            columns = None
            continue
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if columns is None:
            columns = cells
        elif not re.match(r"^\|[-|]+\|$", line) and columns[0] == "item":
            yield heading, number, dict(zip(columns, cells)), len(cells) == len(columns)


def script_text(path):
    """A benchmark's own text with that of the modules that it may hand its options to."""
    return open(path).read() + "".join(open(f).read() for f in glob.glob(os.path.join(ROOT, "scripts", "*.py")))


def commands(text):
    """What is wrong with commands that the text names."""
    help_text = open(os.path.join(ROOT, "scripts", "bench")).read()
    benches = set(re.findall(r"^#   ([a-z][\w-]*) ", help_text, re.M))
    others = dict(re.findall(r"^([a-z-]+)\) exec (\S+)", help_text, re.M))
    for name, rest in re.findall(r"\./dev bench ([\w-]+)([^`|]*)", text):
        if name not in benches:
            yield "there is no benchmark " + name
            continue
        path = os.path.join(ROOT, others.get(name, "bench/" + name))
        for option in OPTIONS.OPTION.findall(rest):
            if option not in script_text(path):
                yield "bench %s has no %s" % (name, option)
    for path, rest in re.findall(r"`((?:scripts|bench)/[\w./-]+)( [^`]*)`", text):
        whole = os.path.join(ROOT, path)
        for option in OPTIONS.OPTION.findall(rest) if os.path.isfile(whole) else []:
            if option not in open(whole).read():
                yield "%s has no %s" % (path, option)


def main():
    fathom, page = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs", "papers.md")
    text = open(page).read()
    tests, problems, rows, seen = unit_tests(), [], 0, {}

    def wrong(number, what):
        problems.append("%s:%d: %s" % (os.path.basename(page), number, what))

    helps = {"": OPTIONS.help_of([fathom])}
    for name in OPTIONS.subcommands_of(helps[""]):
        helps[name] = OPTIONS.help_of([fathom, name])
        for inner in OPTIONS.subcommands_of(helps[name]):
            helps["%s %s" % (name, inner)] = OPTIONS.help_of([fathom, name, inner])
    known = {name: OPTIONS.options_of(help_text) for name, help_text in helps.items()}
    for number, line in enumerate(text.splitlines(), 1):
        plain = re.sub(r"\]\([^)]*\)", "]", line)  # links are for check-links.py
        for path in sorted(set(PATH.findall(plain))):
            if not os.path.exists(os.path.join(ROOT, path)):
                wrong(number, "there is no " + path)
        for path, word in SYMBOL.findall(line):
            whole = os.path.join(ROOT, path)
            if os.path.isfile(whole) and not re.search(r"(?<!\w)%s(?!\w)" % re.escape(word), open(whole).read()):
                wrong(number, "%s does not mention %s" % (path, word))
        for suite, name in UNIT_TEST.findall(line):
            if (suite, name) not in tests:
                wrong(number, "there is no unit test %s.%s" % (suite, name))
        for what in commands(line):
            wrong(number, what)
        for command in OPTIONS.COMMAND.finditer(line):
            if command[1] not in known:
                wrong(number, "there is no fathom " + command[1])
        for _, name, option in OPTIONS.foreign_options(line, known):
            wrong(number, "fathom %s has no %s" % (name, option))

    for heading, number, row, isWhole in tables(text):
        rows += 1
        seen.setdefault(heading, []).append(row["item"])
        if not isWhole:
            wrong(number, "it has another number of columns than its table")
        if "code" in row:
            built, tested = (cell != "not built" for cell in (row["code"], row["checked by"]))
            if built != tested:
                wrong(number, "not built, or not tested: it has to be both or neither")
            if built and not PATH.search(row["code"]):
                wrong(number, "no file of code")
            if tested and not (PATH.search(row["checked by"]) or UNIT_TEST.search(row["checked by"]) or "./dev bench" in row["checked by"]):
                wrong(number, "no test")
        if "command here" in row:
            if "`" not in row["command here"]:
                wrong(number, "no command")
            links = LINK.findall(row["Fathom"])
            there = "".join(section(os.path.normpath(os.path.join(ROOT, "docs", target)), anchor) for target, anchor in links)
            said = [] if "not measured" in row["Fathom"] and not links else NUMBER.findall(LINK.sub("", row["Fathom"]))
            if not links and "not measured" not in row["Fathom"]:
                wrong(number, "figures of Fathom without a link to where they are from")
            for figure in said:
                if links and not re.search(r"(?<![\d.,])%s(?![\d]|[.,]\d)" % re.escape(figure), there):
                    wrong(number, "%s is not in the section that is linked" % figure)
    for heading, items in ITEMS.items():
        for item in items:
            if not any(re.search(r"(?<!\w)%s(?![\d.]\d|\d|[IVX])" % re.escape(item), cell) for cell in seen.get(heading, [])):
                problems.append("%s: %s has no row of %s" % (os.path.basename(page), heading, item))
    if rows < 100 or len(tests) < 500 or len(known) < 15:
        problems.append("not understood: %d rows, %d unit tests, %d subcommands" % (rows, len(tests), len(known)))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
