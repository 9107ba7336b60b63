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
# Another compiler finds the headers of harnesses.
echo '#include <fathom.h>
#include <klee/klee.h>' >harness.c
say harness clang-19 -I "$prefix/include/fathom" -fsyntax-only harness.c
