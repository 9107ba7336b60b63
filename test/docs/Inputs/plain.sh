# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A transcript without what depends on the machine: times, memory, the number of instructions (libc's), a shell's words about a signal, and which
# of many inputs shows a defect.
sed -E -e 's/after [0-9.]+ s$/after T s/' -e 's/, [0-9.]+ s \([0-9]+ % of the time\)/, T s (P % of the time)/' \
  -e 's/memory        [0-9]+ MB/memory        M MB/' -e 's/instructions  [0-9]+,/instructions  N,/' \
  -e 's/, in [0-9.]+ s$/, in T s/' -e 's/natively in [0-9.]+ s \([0-9]+ per second\)/natively in T s (N per second)/' \
  -e 's/^    where .*/    where V/' -e '/^(Floating point exception|Segmentation fault)/d'
