// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC %S/Inputs/external_library.c -o %t.so
// RUN: %fathom-cc -g %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t bugs=external-crash ledger=external-call,external-fault statuses=0,1,2,3 external_calls\>2 -- --external concretize --load %t.so
// Functions without a body run natively, in a child: what they return is used, their symbolic arguments are pinned (ledger), and
// when one crashes it is a bug of kind external-crash and not the end of the exploration.
#include <fathom.h>

double half(double);
int twice(int);
int fragile(int);

int main(void) {
  int c = (int)fathom_range(0, 255, "c");
  if (half(27) != 13.5)
    return 9;
  if (c == 'x') {
    if (twice(c) == 2 * 'x')
      return 1;
    return 8;
  }
  if (c > 200) {
    if (twice(c) >= 402) // one value of c is left
      return 2;
    return 7;
  }
  if (c == 7)
    return fragile(c);
  if (c == 8 && fragile(c) == 9)
    return 3;
  return 0;
}
