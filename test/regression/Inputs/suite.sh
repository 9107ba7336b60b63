#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# suite.sh PROJECT TESTS -BBUILD [OPTIONS...]: configures the project with the tests, builds it, and runs ctest.
project=$1 tests=$2 build=${3#-B}
shift 2
cmake -S "$project" -DCMAKE_C_COMPILER=clang-19 -DNOTES_TESTS="$tests/notes-tests" -DTARGET_TESTS="$tests/target-tests" "$@" >"$build.log" &&
  cmake --build "$build" >>"$build.log" || { cat "$build.log"; exit 2; }
ctest --test-dir "$build" -L fathom --output-on-failure
exit 0
