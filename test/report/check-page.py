#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a page of `fathom report`, or its JSON, against what it has to be.

    test/report/check-page.py PAGE [--bug KIND] [--text TEXT] [--sides] [--blocker TEXT] [--estimate] [--events N] [--missing N]

Always: the page names no other file or host to fetch from; its data end where they should; every number of a file, bug or function that is named is there.
"""
import argparse
import json
import re
import sys

COLUMNS = {"sides": ("file", "line", "branch", "side", "by", "units", "reason")}


def data_of(path):
    text = open(path, encoding="utf-8").read()
    if path.endswith(".json"):
        return json.loads(text), []
    problems = []
    if "@FATHOM-DATA@" in text or "@SCRIPT@" in text or "@STYLE@" in text:
        problems.append("a marker is left in the page")
    scripts = re.findall(r"<script([^>]*)>(.*?)</script", text, re.S)
    if len(scripts) != 2:
        problems.append("%d script elements, not 2" % len(scripts))
    if re.search(r"<(?:script|img|link|iframe|object|embed)\b[^>]*\b(?:src|href)=", text):
        problems.append("the page fetches something")
    if "default-src 'none'" not in text:
        problems.append("no policy that forbids the network")
    data = scripts[0][1]
    if "<" in data:
        problems.append("a < in the data")
    return json.loads(data), problems


def check(data, options):
    problems = []

    def expect(holds, text):
        if not holds:
            problems.append(text)

    expect(len(data["sentences"]) >= 2 and all(s.endswith(".") for s in data["sentences"]), "sentences: %s" % data["sentences"])
    for file in data["files"]:
        expect(("text" in file) != ("missing" in file), "%s: text, or why there is none" % file["name"])
        lines = file.get("text", "").count("\n") + 1
        expect("text" not in file or all(at <= lines for at in file["lines"][::2]), "%s: a line behind its end" % file["name"])
        for name, first, last in file["functions"]:
            expect(1 <= first <= last <= lines, "%s: function %s at %d to %d" % (file["name"], name, first, last))
    sides = data["sides"]
    lengths = {len(sides[name]) for name in COLUMNS["sides"]}
    expect(len(lengths) == 1, "columns of sides differ in length")
    expect(all(0 <= at < len(data["files"]) for at in sides["file"]), "a side in no file")
    curve = data["curve"]
    if curve["isUnion"]:
        expect(curve["total"] == len(sides["file"]), "total is not the number of sides")
        expect(curve["covered"] == sum(by > 0 for by in sides["by"]), "covered is not the number of covered sides")
        dead = sum(1 for by, reason in zip(sides["by"], sides["reason"]) if not by and sides["reasons"][reason])
        expect(curve["unreachable"] == dead, "unreachable is not the number of such sides")
    known = [value for file in data["files"] for value in file["lines"][1::2]]
    expect(curve["lines"] == len(known) and curve["linesCovered"] == sum(v > 0 for v in known), "lines are counted wrongly")
    for i, bug in enumerate(data["bugs"]):
        expect("follows" not in bug or bug["follows"] < i, "a bug follows from a later one")
        expect(bug["replay"].startswith("sh "), "no command for bug %d" % i)
    for part in data["tests"]:
        expect(len({len(part[name]) for name in ("number", "kept", "end", "why", "branches")}) == 1, "columns of tests differ")
    if options.bug:
        expect(options.bug in [bug["kind"] for bug in data["bugs"]], "no bug %s" % options.bug)
        expect(any(bug["input"] for bug in data["bugs"]), "no bug has an input")
    if options.text:
        expect(any(options.text in file.get("text", "") for file in data["files"]), "no file has the text " + options.text)
    if options.sides:
        expect(sides["file"], "no sides")
    if options.blocker:
        expect(any(options.blocker in "".join(b["condition"]) for b in data["blockers"]), "no blocker with " + options.blocker)
    if options.estimate:
        expect("estimate" in curve or "noEstimate" in curve, "neither an estimate nor why there is none")
    if options.events is not None:
        expect(len(data["events"]) == options.events, "%d events" % len(data["events"]))
    if options.missing is not None:
        expect(len(data["missing"]) == options.missing, "missing: %s" % data["missing"])
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    for name in ("--bug", "--text", "--blocker"):
        parser.add_argument(name)
    for name in ("--sides", "--estimate"):
        parser.add_argument(name, action="store_true")
    for name in ("--events", "--missing"):
        parser.add_argument(name, type=int)
    options = parser.parse_args()
    data, problems = data_of(options.page)
    problems += check(data, options)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
