# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A transcript without what depends on the machine: times, memory, the number of instructions (libc's), a shell's words about a signal.
sed -E -e 's/after [0-9.]+ s$/after T s/' -e 's/, [0-9.]+ s \([0-9]+ % of the time\)/, T s (P % of the time)/' \
  -e 's/memory        [0-9]+ MB/memory        M MB/' -e 's/instructions  [0-9]+,/instructions  N,/' \
  -e '/^Floating point exception/d'
