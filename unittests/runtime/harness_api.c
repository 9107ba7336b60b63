/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The harness headers in a native program that replays a test (made by `run`). The two APIs agree
 * because both stand on the same intrinsics.
 */
#include "tap.h"

#include <fathom.h>
#include <klee/klee.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);

int main(void) {
  int a = 7;
  char text[4] = "zzz";
  klee_make_symbolic(&a, sizeof a, "a");
  tapOk(a == 0x04030201, "klee_make_symbolic gives the test's bytes");
  tapOk(klee_range(0, 10, "r") == 5, "klee_range gives the test's value");
  tapOk(klee_int("missing") == 0, "what the test does not have is 0");
  tapOk(klee_range(3, 4, "one") == 3, "a range of one value needs no input");
  tapOk(fathom_string(text, 4, "text")[0] == 'h' && text[3] == 0, "fathom_string ends in NUL");
  tapOk(__VERIFIER_nondet_int() == 1 && __VERIFIER_nondet_int() == 2,
        "nondeterministic values in their order");
  tapOk(klee_is_replay() == 1, "klee_is_replay where a test is loaded");
  tapOk(!klee_is_symbolic((uintptr_t)a) && !fathom_is_symbolic(1), "nothing is symbolic natively");
  tapOk(!fathom_is_interpreted(), "the program knows that it runs natively");
  tapOk(klee_get_value_i32(-3) == -3 && klee_get_valued(1.5) == 1.5 &&
            klee_get_valuef(2.5f) == 2.5f,
        "klee_get_value gives the value");
  klee_assume(a != 0);
  klee_prefer_cex(&a, a > 0);
  klee_warning_once("shown nowhere");
  klee_print_expr("a", a);
  klee_check_memory_access(text, sizeof text);
  klee_open_merge();
  klee_close_merge();
  klee_mark_global(&a);
  klee_assert(a);
  fathom_assert(a);
  __VERIFIER_assume(1);
  int failed = tapDone();
  fathom_assume(failed); /* native assumptions that do not hold end the program with status 0 */
  return 1;
}
