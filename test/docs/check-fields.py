#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation names the fields that the files of a results folder have, and no others.

    test/docs/check-fields.py RUN UNFINISHED-RUN

RUN was explored to its end, has a bug, and was replayed; UNFINISHED-RUN has a ledger. A section of docs/results.md declares the fields of one file: in the first column of
its table, or before the colon of a list item, as `name`, `name {field, ...}` for an object or `name [{field, ...}]` for a list of objects.
"""
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPAN = re.compile(r"(\w+)(?: (\[?)\{([^}]*)\}\]?| \[.*\])?$")
# Fields that only some runs, bugs or tests have.
OPTIONAL = {"run.json": {"resumed"}, "bug.json": {"sources", "also_at"}, "exit.json": {"bug"}, "ledger.json": set()}
# Objects whose fields are described elsewhere: the options of a run are those of --help.
ELSEWHERE = {"options"}


def section(page, heading):
    text = open(os.path.join(ROOT, "docs", page)).read()
    found = re.search(r"^#+ %s\n(.*?)(?=^#|\Z)" % re.escape(heading), text, re.M | re.S)
    return found[1] if found else ""


def declared(text):
    """Fields of a section: name -> fields of the object, or None."""
    fields = {}
    for line in text.splitlines():
        place = re.match(r"\| (.*?) \|", line) or re.match(r"- (.*?):", line)
        for span in re.findall(r"`([^`]+)`", place[1]) if place else []:
            match = SPAN.match(span)
            if match:
                fields[match[1]] = set(re.findall(r"\w+", match[3])) if match[3] else None
    return fields


def objects_of(value):
    return [value] if isinstance(value, dict) else [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def differences(name, there, said):
    for field in sorted(set(there) - set(said)):
        yield "%s has %s, which the documentation does not name" % (name, field)
    for field in sorted(set(said) - set(there) - OPTIONAL.get(name, set())):
        yield "%s has no %s" % (name, field)
    for field, inner in said.items():
        if field in ELSEWHERE:
            continue
        objects = objects_of(there.get(field))
        if objects and not inner:
            yield "%s: the documentation does not name the fields of %s" % (name, field)
        for one in objects if inner else []:
            for extra in sorted(set(one) - inner):
                yield "%s: %s has %s, which the documentation does not name" % (name, field, extra)
            if isinstance(there[field], dict):
                for missing in sorted(inner - set(one)):
                    yield "%s: %s has no %s" % (name, field, missing)


def main():
    run, unfinished = sys.argv[1:3]
    files = {"run.json": run, "stats.json": run, "ledger.json": unfinished, "exit.json": run + "/tests/000001", "path.json": run + "/tests/000001",
             "bug.json": run + "/bugs/000001"}
    problems, count = [], 0
    for name, folder in files.items():
        said = declared(section("results.md", name))
        count += len(said)
        problems += differences(name, json.load(open(os.path.join(folder, name))), said)
    said = declared(section("replay.md", "What it writes"))
    count += len(said)
    problems += differences("replay.json", json.load(open(os.path.join(run, "replay.json"))), said)

    columns = open(os.path.join(run, "stats.csv")).readline().strip().split(",")
    named = re.findall(r"`(\w+)`", section("results.md", "stats.csv"))
    problems += ["stats.csv: the documentation names the columns %s" % named] if named != columns else []

    # The first table names what is in the folder, the second what is in that of a test.
    tables = re.split(r"^The folder of a test:$", open(os.path.join(ROOT, "docs", "results.md")).read(), flags=re.M)
    for folder, text in ((run, tables[0]), (run + "/tests/000001", tables[1].split("\n## ")[0])):
        for path in glob.glob(os.path.join(folder, "*")):
            name = os.path.basename(path)
            if name not in ("replay.json",) and not re.search(r"^\| .*`%s" % re.escape(name), text, re.M):
                problems.append("%s: the documentation does not name %s" % (folder, name))
    if count < 80:
        problems.append("only %d fields were found in the documentation" % count)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
