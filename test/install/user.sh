# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# user.sh PREFIX FOLDER: uses the programs in PREFIX, in the new folder FOLDER, and prints a line for each.
set -eu
prefix=$1
mkdir "$2"
cd "$2"
export FATHOM_CACHE="$PWD/cache"
PATH=$prefix/bin:$PATH
cp -r "$prefix/share/doc/fathom/examples" .

say() { # TITLE COMMAND...: how it ended, and its output if it should not have ended so
  title=$1 status=0
  shift
  "$@" >log 2>&1 || status=$?
  echo "$title: $status"
  [ $status = 0 ] || tail -n 20 log
}

fathom --version
fathom-cc -g examples/divide.c -o divide
echo "explored: $(fathom explore divide -o out | grep 'all paths')"
status=0
sh out/bugs/000001/replay.sh >/dev/null 2>&1 || status=$?
echo "replay.sh: $status"
say replayed fathom replay divide out --fail-on-divergence
say scanned fathom scan divide
say reported fathom report out
say doctor fathom doctor
# What calls fathom-cc by itself, or hands its path on.
printf '[{"directory": "%s", "file": "examples/divide.c", "arguments": ["cc", "-c", "-o", "divide.o", "examples/divide.c"]}]' "$PWD" >compile_commands.json
say 'a database' fathom scan --compile-commands compile_commands.json
say 'C files' fathom explore examples/get_sign.c -o signs
say generated fathom synth --lines 300 --seed 1 -o synthetic
say built env CC=fathom-cc sh synthetic/build.sh
say patched fathom repair examples/share.c --at examples/share.c:11 --tests 'echo 50 0 | "$FATHOM_PROGRAM"' --most 10 --depth 1 -o patches
if command -v afl-fuzz >/dev/null; then
  fathom-cc -g examples/fuzz_target.c -o target
  say fuzzed fathom fuzz target --max-executions 2000 --unit 500execs -o campaign
  say estimated fathom estimate campaign
  say studied fathom assess --synth 1 --lines 100 --trials 1 --budget 2000execs --unit 200execs --points 2 -o study
fi
# A program that uses the library, in a folder of its own; its output says what it found.
cat >settings-expected <<'END'
3 functions
explored: instruction budget spent (--max-instructions)
  bug: null-dereference (CWE 476) in main, line 29
  bug: null-dereference (CWE 476) in main, line 39
scanned: 3 reports
  report: null-dereference, line 29, 3 steps: a pointer may be null; null is returned at settings.c:17
  report: null-dereference, line 39, 2 steps: a pointer may be null; strrchr may return null at settings.c:38
  report: null-dereference, line 24, 3 steps: a pointer may be null; it is null since settings.c:22
  confirmed: null-dereference, line 29
  open: null-dereference, line 39
  refuted: null-dereference, line 24
END
cp -r examples/api api
say 'library configured' cmake -S api -B api/build "-DCMAKE_PREFIX_PATH=$prefix" -DCMAKE_BUILD_TYPE=Debug
say 'library linked' cmake --build api/build
(cd examples && fathom-cc -g settings.c -o ../settings)
status=0
api/build/find_bugs settings --sym-args 0 3 4 --sym-stdin 24 >settings-output || status=$?
echo "library used: $status"
say 'library output' diff settings-expected settings-output
api/build/find_bugs absent 2>&1 | grep -o 'no such file' || true
say 'plain compiler' c++ -std=c++17 api/find_bugs.cpp -I "$prefix/include" -L "$prefix/lib" -lfathom -o plain
# Another compiler finds the headers of harnesses.
echo '#include <fathom.h>
#include <klee/klee.h>' >harness.c
say harness clang-19 -I "$prefix/include/fathom" -fsyntax-only harness.c
