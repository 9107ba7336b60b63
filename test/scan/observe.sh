#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# observe.sh PROGRAM FOLDER [ARGUMENT...]: runs the program natively so that it tells what its pointers point to, and
# holds that against the static analyses. Without arguments it also reads $STDIN, a file.
set -eu
program=$1 folder=$2
shift 2
build=${FATHOM_BUILD:?}
mkdir -p "$folder"
"$build/bin/fathom-observe" instrument "$program.bc" "$folder/program.o"
lib=$build/sysroot/lib
ld.lld-19 -m elf_x86_64 -static -o "$folder/program" --eh-frame-hdr -z noexecstack -O0 -z muldefs "$folder/program.o" \
  "$lib/start.o" "$build/lib/fathom/observe.o" --start-group "$lib"/libc.a "$lib"/libfathom-native.a "$lib"/libclang_rt.builtins.a --end-group
rm -f "$folder/observed"
(cd "$folder" && ulimit -v 8000000 && timeout 20 ./program "$@" <"${STDIN:-/dev/null}" >output 2>errors) || status=$?
"$build/bin/fathom-observe" check "$program.bc" "$folder/observed" ${BREAK:-}
