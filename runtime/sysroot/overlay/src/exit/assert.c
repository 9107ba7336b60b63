/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A failed assertion is an event of its own, not just another abort().
 */
#include <stdlib.h>

__attribute__((__visibility__("default"))) _Noreturn void
__fathom_assert_fail(const char *, const char *, unsigned, const char *);

_Noreturn void __assert_fail(const char *expression, const char *file, int line,
                             const char *function) {
  __fathom_assert_fail(expression, file, line, function);
}
