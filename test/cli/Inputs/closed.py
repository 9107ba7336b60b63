#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose standard output nobody reads: it has to end by SIGPIPE (or as timeout(1) says that), without a word.

    closed.py COMMAND...          its standard output is a pipe without a reader
    closed.py --full COMMAND...   its standard output has no room: status 2 and one line
"""
import os
import signal
import subprocess
import sys

words = sys.argv[1:]
isFull = words[0] == "--full"
if isFull:
    out = os.open("/dev/full", os.O_WRONLY)
    words = words[1:]
else:
    reader, out = os.pipe()
    os.close(reader)
done = subprocess.run(words, stdout=out, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
errors = done.stderr.decode()
if isFull:
    fine = done.returncode == 2 and errors == "fathom: standard output: No space left on device\n"
else:
    fine = done.returncode in (-signal.SIGPIPE, 128 + signal.SIGPIPE) and not errors
if not fine:
    sys.exit("%s: status %d\n%s" % (" ".join(words), done.returncode, errors))
