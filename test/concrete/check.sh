#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.sh SOURCE TMP [option for the compiler]...: the program has to behave the same natively and interpreted, as
# fathom-cc compiles it by default and at the levels -O1 and -O2 that it would be shipped at. (The optimised forms have the
# instructions that -O0 never makes: vectors, intrinsics, selects, jump tables.)
set -u
source=$1 tmp=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
cc=${FATHOM_BUILD:-$root/build}/bin/fathom-cc
status=0
for level in "" "--fathom-as-built -O1" "--fathom-as-built -O2"; do
  name=$tmp.program$(printf %s "$level" | tr -dc 'O0-9')
  # shellcheck disable=SC2086 # a list of options
  "$cc" -g -w $level "$@" "$source" -o "$name" -lm || exit 1
  "$root/scripts/differential" --cwd "$root/test/concrete/Inputs" "$name" one 'two words' 3 || {
    echo "level: ${level:-default}"
    status=1
  }
done
exit $status
