// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/FreeMemory.h"

#include <cstddef>
#include <malloc.h>

// jemalloc's, where it is linked.
extern "C" int mallctl(const char *name, void *old, size_t *oldLength, void *given,
                       size_t givenLength) __attribute__((weak));

namespace fathom {

void giveBackFreeMemory() {
  if (!mallctl) {
    malloc_trim(0);
    return;
  }
  mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
  mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0); // MALLCTL_ARENAS_ALL: each of them
}

} // namespace fathom
