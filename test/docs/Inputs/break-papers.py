#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""break-papers.py PAGE: docs/papers.md with one mistake of each kind that check-papers.py looks for, on standard output."""
import sys

CHANGES = [
    ("`lib/patterns/RegularPattern.h` (`RegularPattern`)", "`lib/patterns/NoSuchPattern.h`"),
    ("(`mergedValue`)", "(`NoSuchWord`)"),
    ("`Memspn.DuplicationFillsTheBuffer`", "`Memspn.NoSuchTest`"),
    ("`./dev bench merge --capacity-sweep`", "`./dev bench no-such-bench`"),
    ("`./dev bench defer --bias`", "`./dev bench defer --no-such-option`"),
    ("`scripts/confirm-suite --every 3`", "`scripts/confirm-suite --no-such-option 3`"),
    ("`fathom explore --check-merges`", "`fathom nosuch`"),
    ("`fathom explore --defer-bias P`", "`fathom explore --no-such-option P`"),
    ("| `Ternary.IsThatOfThePaper` |", "| not built |"),
    ("| `lib/psp/Density.h` |", "| the kernel |"),
    ("| `./dev bench psp --models` | RF", "| some run | RF"),
    ("five libraries, planned 32 | `./dev bench estimate --synth 0` | hypothesis | five of the twelve fail; 30 campaigns ([RESULTS.md](../bench/RESULTS.md#real-programs))",
     "five libraries, planned 32 | `./dev bench estimate --synth 0` | hypothesis | five of the twelve fail; 30 campaigns"),
    ("divergence 24.12, ", "divergence 12.345, "),
    ("| four verdicts: only", "| four | verdicts: only"),
    ("| Eq. 12 |", "| Equation twelve |"),
]
text = open(sys.argv[1]).read()
for old, new in CHANGES:
    if text.count(old) != 1:
        sys.exit("break-papers.py: %d times: %s" % (text.count(old), old))
    text = text.replace(old, new)
print(text, end="")
