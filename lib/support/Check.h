// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FATHOM_CHECK: an invariant that is checked in release builds too, where going on would report a
// wrong answer as a finding.
#ifndef FATHOM_SUPPORT_CHECK_H
#define FATHOM_SUPPORT_CHECK_H

#include <cstdio>
#include <cstdlib>

#define FATHOM_CHECK(condition, message)                                                           \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      std::fprintf(stderr, "fathom: internal error: %s (%s:%d)\n", message, __FILE__, __LINE__);   \
      std::abort();                                                                                \
    }                                                                                              \
  } while (0)

#endif
