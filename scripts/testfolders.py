#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All tests of a results folder as folders, for scripts that read their files: those in tests.store are extracted.

    testfolders.py OUT INTO      # INTO/000001/, ...; what was there is replaced
"""
import glob
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def extract(out, into, *more):
    fathom = os.path.join(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")), "bin", "fathom")
    shutil.rmtree(into, ignore_errors=True)
    subprocess.run([fathom, "tests", out, "--extract", into, "-q", *more], check=True, stdin=subprocess.DEVNULL)


def tests_of(out):
    """What fathom tests --json says of each, without copying anything."""
    fathom = os.path.join(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")), "bin", "fathom")
    done = subprocess.run([fathom, "tests", out, "--json", "-q"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return json.loads(done.stdout)["tests"]


def test_folders(out, into=None):
    """Their folders, sorted; where there is a store all of them are copies, below `into` (OUT.tests)."""
    if not os.path.exists(os.path.join(out, "tests.store")):
        return sorted(glob.glob(os.path.join(out, "tests", "*")))
    into = into or out.rstrip("/") + ".tests"
    extract(out, into)
    return sorted(glob.glob(os.path.join(into, "*")))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    extract(sys.argv[1], sys.argv[2])
