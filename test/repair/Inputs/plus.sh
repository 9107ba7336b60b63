# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A test that reads its cases line by line while it runs the program on them.
while read -r a b sum; do test "$($FATHOM_PROGRAM "$a" "$b")" = "$sum" || exit 1; done <<CASES
1 2 3
4 9 13
0 7 7
CASES
