// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -S -emit-llvm -O0 -Xclang -disable-O0-optnone -g -w -I%root/runtime/include %s -o %t.ll
// RUN: %explore %t.ll %t bugs=external-crash ledger=concretized-value,external-call statuses=0,1,2 external_calls\>2
// Functions without a body in plain bitcode run natively, in a child: what they return is used, their symbolic arguments are pinned
// (ledger), and when one crashes it is a bug of kind external-crash, not the end of the exploration.
#include <fathom/abi.h>

double cbrt(double);
int toupper(int);
int raise(int);

int main(void) {
  unsigned char c;
  __fathom_make_symbolic(&c, 1, "c");
  if (cbrt(27) != 3)
    return 9;
  if (c == 'x') {
    if (toupper('x') == 'X')
      return 1;
    return 8;
  }
  if (c > 200) {
    if (toupper(c) >= 0)
      return 2;
    return 7;
  }
  if (c == 7)
    raise(11);
  return 0;
}
