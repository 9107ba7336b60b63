/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Test-Comp's and SV-COMP's assumptions and errors. Weak: programs may bring their own.
 */
#include <fathom/abi.h>

__attribute__((weak)) void __VERIFIER_assume(int condition) { __fathom_assume(condition != 0); }

__attribute__((weak)) void __VERIFIER_assert(int condition) {
  if (!condition) __fathom_assert_fail("__VERIFIER_assert", "", 0, "__VERIFIER_assert");
}

__attribute__((weak)) void __VERIFIER_error(void) {
  __fathom_assert_fail("__VERIFIER_error is called", "", 0, "__VERIFIER_error");
}

__attribute__((weak)) void reach_error(void) {
  __fathom_assert_fail("reach_error is called", "", 0, "reach_error");
}

/* One thread: everything is atomic. */
__attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}
