#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads fault.py's line: how many tests there are together with those that were dropped.

    fault.py ... | tests-and-dropped.py MOST-TESTS
"""
import re
import sys

line = sys.stdin.read()
tests, dropped = (int(re.search(what, line).group(1)) for what in (r"tests (\d+)", r"dropped-test=(\d+)"))
print("together %d, few tests: %s" % (tests + dropped, "yes" if tests < int(sys.argv[1]) else tests))
