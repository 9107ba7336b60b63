// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t tests=1 bugs=abort,assertion statuses=0
// klee_silent_exit writes no test; klee_abort and klee_report_error are bugs.
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, 1, "x");
  switch (x) {
  case 0: klee_silent_exit(5);
  case 1: klee_abort();
  case 2: klee_report_error(__FILE__, __LINE__, "message", "my.assert");
  }
  return 0;
}
