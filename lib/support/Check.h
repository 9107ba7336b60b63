// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FATHOM_CHECK: an invariant that is checked in release builds too, where going on would report a
// wrong answer as a finding. The process ends with kInternalErrorStatus, by which another one that
// waits for it tells this from a crash.
#ifndef FATHOM_SUPPORT_CHECK_H
#define FATHOM_SUPPORT_CHECK_H

#include <cstdio>
#include <cstdlib>

namespace fathom {
/// The exit status of a process that found an error of our own, after it has said so on stderr.
inline constexpr int kInternalErrorStatus = 3;
/// At once: nothing of this process is to be trusted any more, destructors included.
[[noreturn]] inline void endAfterInternalError() { std::_Exit(kInternalErrorStatus); }
} // namespace fathom

#define FATHOM_CHECK(condition, message)                                                           \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      std::fprintf(stderr, "fathom: internal error: %s (%s:%d)\n", message, __FILE_NAME__,         \
                   __LINE__);                                                                      \
      ::fathom::endAfterInternalError();                                                           \
    }                                                                                              \
  } while (0)

#endif
