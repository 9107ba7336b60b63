// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Parts.h"

#include <new>
#include <sys/mman.h>

namespace fathom::run {

std::shared_ptr<SharedParts> makeSharedParts() {
  void *place = mmap(nullptr, sizeof(SharedParts), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  // Atomic numbers have no constructor that does more than what is there: all bytes are zero.
  return {static_cast<SharedParts *>(place), [](SharedParts *p) { munmap(p, sizeof *p); }};
}

} // namespace fathom::run
