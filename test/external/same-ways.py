#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated programs, whose ways are known from running them on every input, explored with string functions as code and as external ones.

    test/external/same-ways.py TMP FIRST COUNT

Programs FIRST, FIRST + 1 ... of Inputs/string_programs.py, of two bytes of input. Of each exploration, no test takes another way natively than it says.
The set of ways is that of all inputs

  1. with the functions as code;
  2. with defer-strict, where every query is run (--fuzz-without predictor);

and with defer-strict as it is, at least LEAST of all ways of all programs are found: what the predictor costs.
"""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(HERE, "Inputs")]
from script import BIN, SECONDS, test_folders
from string_programs import Program

SIZE = 2
LEAST = 0.8
FUNCTIONS = ("atoi memchr memcmp memcpy memmove memset stpcpy strcasecmp strcat strchr strcmp strcpy strcspn strlen strncat strncmp strncpy strnlen "
             "strpbrk strrchr strspn strstr strtol").split()


def run(command, given=None):
    done = subprocess.run(command, input=given, stdin=None if given else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode(errors="replace")[-2000:]))
    return done.stdout.decode()


def explored(program, out, options):
    """{input in hexadecimal: the way that its test says}"""
    stats = json.loads(run([os.path.join(BIN, "fathom"), "explore", program, "-o", out, "--force", "--json", "--sym-stdin", str(SIZE)] + options))
    if stats["stop"] != "exhausted" or stats["bugs"]:
        sys.exit("%s: stop %s, bugs %s" % (program, stats["stop"], stats["bugs"]))
    ways = {}
    for folder in test_folders(out):
        if json.load(open(os.path.join(folder, "exit.json")))["end"] == "exit":
            data = open(os.path.join(folder, "stdin"), "rb").read().ljust(SIZE, b"\0")[:SIZE]
            ways[data.hex()] = open(os.path.join(folder, "stdout")).read()
    return ways


def main():
    tmp, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found = total = tests = 0
    problems = []
    for seed in range(first, first + count):
        text = Program(seed, SIZE).source()
        source, native, program = tmp + ".c", tmp + ".native", tmp + ".program"
        with open(source, "w") as file:
            file.write(text)
        options = ["-w", "-fwrapv", "-fno-builtin", source, "-o"]
        run(["clang-19", "-O1", "-DENUMERATE"] + options + [native])
        run([os.path.join(BIN, "fathom-cc"), "-g"] + options + [program])
        truth = set(run([native]).splitlines())
        body = text[text.index("static void program"):text.index("#ifdef ENUMERATE")].replace("number(", "strtol(")
        functions = [f for f in FUNCTIONS if re.search(r"\b%s\(" % f, body)]
        strict = ["--external", "defer-strict", "--external-functions", ",".join(functions)]
        for name, how in (("inlined", []), ("searched", strict + ["--fuzz-without", "predictor"]), ("predicted", strict)):
            ways = explored(program, tmp + ".out", how)
            real = run([native, "ways"], "\n".join(ways).encode()).splitlines()
            for (data, said), took in zip(ways.items(), real):
                if said != took:
                    problems.append("program %d, %s: input %s takes way %s, the test says %s" % (seed, name, data, took, said))
            missed = truth - set(ways.values())
            if missed and name != "predicted":
                problems.append("program %d, %s: %d of %d ways are missing: %s" % (seed, name, len(missed), len(truth), sorted(missed)[:5]))
            if name == "predicted":
                found += len(truth) - len(missed)
            tests += len(ways)
        total += len(truth)
    print("\n".join(problems))
    print("%d of %d ways with the predictor, %d tests, %d problems" % (found, total, tests, len(problems)))
    return 1 if problems or found < LEAST * total else 0


if __name__ == "__main__":
    sys.exit(main())
