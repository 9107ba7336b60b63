#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Takes the place of `fathom explore ... -o DIR`: leaves a bug of a kind that there is not.
while test "x$1" != x-o; do shift; done
mkdir -p "$2/bugs/000001"
echo '{"kind": "no such kind"}' >"$2/bugs/000001/bug.json"
