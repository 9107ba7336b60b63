#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One exploration's numbers.

    test/explore/check.py PROGRAM TMP CONDITION... [-- OPTIONS OF EXPLORE]

PROGRAM is a C file (compiled with fathom-cc first; --cc OPTION adds to that) or a program. A condition is NAME=VALUE, where NAME is
one of stats.json's (paths_completed, tests, forks, external.executed ...), or

    bugs=KIND[:LINE],...    exactly these kinds (sorted), an empty list for none; with a line where given
    stop=REASON             exhausted, max-time, max-instructions ...
    ledger=N                number of entries; ledger=CATEGORY,... exactly these categories (of assumptions, allocation-failure and
                            missing-file, only those that are named)
    statuses=A,B,...        the set of exit statuses of the tests
    NAME<VALUE, NAME>VALUE  bounds

Unless conditions name them, stop=exhausted, ledger=0 and bugs= are expected.
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from script import ASSUMPTIONS, BIN, EXPLORE, SECONDS, split_arguments, tests_of


def main():
    own, more = split_arguments()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("program")
    parser.add_argument("tmp")
    parser.add_argument("conditions", nargs="*")
    options = parser.parse_intermixed_args(own)
    program = options.program
    if program.endswith(".c"):
        program = options.tmp + ".program"
        done = subprocess.run([os.path.join(BIN, "fathom-cc"), "-g", "-w", options.program, "-o", program] + options.cc)
        if done.returncode != 0:
            return 1
    # Whether questions wait depends on the machine's load, and with it how often is forked and asked.
    exact = any(re.fullmatch(r"(?!ledger|seeds_followed)[\w.]+=\d+", c) for c in options.conditions)
    if exact and "--branch-checks" not in EXPLORE + more and "--seeds" not in more:
        more = more + ["--branch-checks", "eager"]
    out = options.tmp + ".out"
    try:
        done = subprocess.run(EXPLORE + [program, "-o", out, "--force", "--json"] + more,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        print("explore: killed after %d s" % SECONDS)
        return 1
    if done.returncode != 0:
        print("explore: status %d\n%s" % (done.returncode, done.stderr.decode(errors="replace")))
        return 1
    stats = json.loads(done.stdout)
    ledger = json.load(open(os.path.join(out, "ledger.json")))["entries"]
    bugs = sorted("%s:%d" % (b["kind"], b["line"]) for b in stats["bugs"])
    asked = " ".join(c for c in options.conditions if c.startswith("ledger="))
    ledger = [e for e in ledger if e["category"] not in ASSUMPTIONS or e["category"] in asked]
    actual = dict(stats, bugs=",".join(bugs), ledger=len(ledger))
    for name, inner in stats.items():
        if isinstance(inner, dict):
            actual.update(("%s.%s" % (name, key), value) for key, value in inner.items())
    statuses = set()
    for test in tests_of(out):
        statuses.add(test["status"])
    actual["statuses"] = ",".join(map(str, sorted(statuses)))

    conditions = list(options.conditions)
    named = {re.match(r"[\w.]+", c)[0] for c in conditions}
    conditions += [c for n, c in (("stop", "stop=exhausted"), ("ledger", "ledger=0"), ("bugs", "bugs=")) if n not in named]
    wrong = []
    for condition in conditions:
        name, operator, value = re.fullmatch(r"([\w.]+)([=<>])(.*)", condition).groups()
        have = actual.get(name)
        if have is None:
            wrong.append("%s: stats.json has no %s" % (condition, name))
            continue
        if name == "bugs" and not re.search(r":\d", value):
            have = ",".join(sorted(b.split(":")[0] for b in bugs))
        if name == "ledger" and not value.isdigit():
            have = ",".join(sorted({e["category"] for e in ledger}))
        if operator == "=":
            fine = str(have) == value
        else:
            fine = float(have) < float(value) if operator == "<" else float(have) > float(value)
        if not fine:
            wrong.append("expected %s, got %s" % (condition, have))
    if wrong:
        print("\n".join(wrong))
        for bug in stats["bugs"]:
            print("  bug: %(kind)s in %(function)s at %(file)s:%(line)s: %(message)s" % bug)
        for entry in ledger[:10]:
            print("  ledger: %(category)s %(location)s %(detail)s (%(count)s)" % entry)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
