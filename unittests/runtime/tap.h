/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Test Anything Protocol, as much of it as is needed here.
 */
#ifndef TAP_H
#define TAP_H

#include <stdio.h>
#include <unistd.h>

static int tapTests, tapFailed;

static inline int tapOk(int passed, const char *name) {
  tapTests++;
  tapFailed += !passed;
  printf("%sok %d - %s\n", passed ? "" : "not ", tapTests, name);
  fflush(stdout);
  return passed;
}

static inline int tapDone(void) {
  printf("1..%d\n", tapTests);
  fflush(stdout);
  return tapFailed != 0;
}

/* In a child process that is one test. */
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("# line %d: %s\n", __LINE__, #condition);                                             \
      fflush(stdout);                                                                              \
      _exit(1);                                                                                    \
    }                                                                                              \
  } while (0)

#endif
