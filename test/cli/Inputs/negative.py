#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""negative.py FATHOM: every option whose value --help shows as a number, with -3."""
import re
import subprocess
import sys

fathom = sys.argv[1]


def run(*words):
    return subprocess.run([fathom, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)


subcommands = re.findall(r"^  (\w+)  ", run("--help").stdout, re.M)
assert {"explore", "replay", "fuzz", "estimate", "synth", "assess"} <= set(subcommands), subcommands
tried = 0
for name in subcommands:
    for line in run(name, "--help").stdout.split("\n"):
        option = re.match(r"  (?:-\w,)?(--[\w-]+) (\S+)", line)
        if not option or not re.match(r"(N|K|I|BYTES|UINT|INT|N\[,N\.\.\.\])([:=]|$)", option[2]):
            continue
        flag = option[1]
        for words in ([flag + "=-3"], [flag, "-3"]):
            # An operand that does not exist would be refused as well: the message has to be about the option.
            done = run(name, *words, "no-such-program", "no-such-folder")
            assert done.returncode == 2, (name, words, done)
            assert flag in done.stderr and "-3" in done.stderr and "18446744073709551613" not in done.stderr, (name, words, done.stderr)
            assert done.stderr.count("\n") == 1, (name, words, done.stderr)
        tried += 1
print(tried, "options refuse -3")
