#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explored paths against enumerated ones: exactly the same set.

    test/explore/bruteforce.py SOURCE TMP [--paths N] [-- OPTIONS OF EXPLORE]

SOURCE includes Inputs/oracle.h. The host's clang compiles it with a hash over the basic blocks taken and runs it on every input:
the distinct hashes are the program's paths. Then it is explored, and

  1. the exploration is exhaustive: no bug, nothing in the ledger;
  2. there are as many completed paths and tests as there are hashes (and --paths N, when given, is that number too);
  3. the tests' inputs, run natively, have pairwise different hashes, and together all of them;
  4. each test's exit status is the native result for its input.

With --branch-checks lazy an address can be made one value, and the others are paths of their own: of 2 and 3 remains that no hash is missing, and no input
is there twice.
"""
import argparse
import json
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from script import ASSUMPTIONS, BIN, EXPLORE, SECONDS, split_arguments, test_folders


def ktest_object(path, name):
    """The bytes of a .ktest's object (format: KLEE's, big endian)."""
    data = open(path, "rb").read()
    at = 5

    def number():
        nonlocal at
        at += 4
        return struct.unpack_from(">I", data, at - 4)[0]

    def text():
        nonlocal at
        size = number()
        at += size
        return data[at - size:at]

    if data[:5] != b"KTEST":
        raise ValueError("%s is no .ktest" % path)
    version = number()
    for _ in range(number()):
        text()
    if version >= 2:
        number(), number()
    for _ in range(number()):
        label, content = text().decode(), text()
        if label == name:
            return content
    raise ValueError("%s has no object %s" % (path, name))


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **more)
    if done.returncode != 0:
        print("%s: status %d\n%s" % (command[0], done.returncode, done.stderr.decode(errors="replace")[-2000:]))
        sys.exit(1)
    return done.stdout.decode()


def main():
    own, more = split_arguments()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source")
    parser.add_argument("tmp")
    parser.add_argument("--paths", type=int)
    options = parser.parse_args(own)
    problems = []

    native = options.tmp + ".native"
    include = "-I" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
    # What is hashed is the sequence of basic blocks: cases of a switch that share a target are one way, as they are for the engine;
    # -O0 neither removes nor invents any block.
    run(["clang-19", "-O0", "-w", "-DENUMERATE", include, "-fsanitize-coverage=bb,trace-pc-guard,no-prune", options.source, "-o", native])
    classes = dict(line.split() for line in run([native], timeout=120).splitlines())
    if options.paths is not None and len(classes) != options.paths:
        problems.append("enumeration finds %d paths, the test says %d" % (len(classes), options.paths))

    program, out = options.tmp + ".program", options.tmp + ".out"
    run([os.path.join(BIN, "fathom-cc"), "-g", "-w", include, options.source, "-o", program])
    stats = json.loads(run(EXPLORE + [program, "-o", out, "--force", "--json"] + more, timeout=SECONDS))
    for bug in stats["bugs"]:
        problems.append("bug: %(kind)s at %(file)s:%(line)s: %(message)s" % bug)
    if stats["stop"] != "exhausted":
        problems.append("the exploration stopped early: " + stats["stop"])
    for entry in json.load(open(os.path.join(out, "ledger.json")))["entries"]:
        if entry["category"] not in ASSUMPTIONS:
            problems.append("ledger: %(category)s %(location)s %(detail)s" % entry)
    tests = test_folders(out)
    splits = "lazy" in EXPLORE + more
    if stats["paths_completed"] != len(tests) or (len(tests) < len(classes) if splits else len(tests) != len(classes)):
        problems.append("%d paths and %d tests, enumeration finds %d paths" % (stats["paths_completed"], len(tests), len(classes)))
    seen, inputs = {}, {}
    for test in tests:
        data = ktest_object(os.path.join(test, "test.ktest"), "in")
        hash_, result = run([native, data.hex()]).split()
        name = os.path.basename(test)
        if hash_ not in classes:
            problems.append("test %s: its input %s is none that was enumerated" % (name, data.hex()))
        if data in inputs:
            problems.append("tests %s and %s have the same input %s" % (inputs[data], name, data.hex()))
        inputs[data] = name
        if hash_ in seen and not splits:
            problems.append("tests %s and %s follow the same path (%s)" % (seen[hash_], name, data.hex()))
        seen[hash_] = name
        end = json.load(open(os.path.join(test, "exit.json")))
        if end != {"end": "exit", "status": int(result)}:
            problems.append("test %s: ended with %s, natively with %s (input %s)" % (name, end, result, data.hex()))
    missing = set(classes) - set(seen)
    if missing:
        problems.append("%d paths have no test (together %d inputs)" % (len(missing), sum(int(classes[h]) for h in missing)))
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
