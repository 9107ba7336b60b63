#!/bin/bash
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# complete.sh SCRIPT LINE: what bash offers at the end of LINE, one word per line, sorted. Words are cut as readline cuts them.
. "$1"
line=$2
COMP_WORDS=()
while [[ $line ]]; do
  if [[ $line =~ ^\ +(.*)$ ]]; then
    line=${BASH_REMATCH[1]}
    [[ $line ]] || COMP_WORDS+=("")
  elif [[ $line =~ ^(=|[^ =]+)(.*)$ ]]; then
    COMP_WORDS+=("${BASH_REMATCH[1]}")
    line=${BASH_REMATCH[2]}
  fi
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_fathom
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
