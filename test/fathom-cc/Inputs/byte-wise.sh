#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# byte-wise.sh PROGRAM.bc FUNCTION...: fails if a function is not there, or loads or stores more than one byte
# at a time.
bitcode=$1
shift
for function in "$@"; do
  body=$(llvm-extract --func="$function" "$bitcode" -S -o -) || exit 1
  wide=$(printf '%s\n' "$body" | grep -E 'load (i16|i32|i64|<)|store (i16|i32|i64|<)')
  if [ -n "$wide" ]; then
    printf '%s reads or writes whole words:\n%s\n' "$function" "$wide"
    exit 1
  fi
done
