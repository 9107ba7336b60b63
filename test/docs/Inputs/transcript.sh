# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The commands of the README's transcript, each after its prompt.
run() {
  echo "\$ $*"
  "$@"
  return 0
}
run fathom-cc -g examples/divide.c -o divide
run fathom explore divide -o out
run sh out/bugs/000001/replay.sh
