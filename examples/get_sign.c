/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The smallest symbolic program (three paths: zero, negative, positive), with KLEE's header.
 *
 *     fathom-cc -g get_sign.c -o get_sign && fathom explore get_sign
 */
#include <klee/klee.h>

static int getSign(int x) {
  if (x == 0)
    return 0;
  if (x < 0)
    return -1;
  return 1;
}

int main(void) {
  int a;
  klee_make_symbolic(&a, sizeof a, "a");
  return getSign(a);
}
