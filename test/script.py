# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts of tests have in common: where things are, and their command line."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scripts"))
from testfolders import test_folders, tests_of  # noqa: F401 (for the scripts)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BIN = os.path.join(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")), "bin")
# For whatever a script starts: below the limit of the test runner, which would kill the script and leave that running.
SECONDS = 150
# Categories of a ledger's entries that leave out nothing: what the answer assumes of allocations and of the environment.
ASSUMPTIONS = ("allocation-failure", "missing-file")
# How scripts start an exploration. `scripts/lit --param explore=...` has options for all of them.
EXPLORE = [os.path.join(BIN, "fathom"), "explore"] + os.environ.get("FATHOM_TEST_EXPLORE", "").split()


def split_arguments():
    """The script's own arguments, and those after --, which are for explore."""
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[:own.index("--")], own[own.index("--") + 1:]
    return own, more
