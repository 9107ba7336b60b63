// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that was freed and that the allocator keeps for later.
#ifndef FATHOM_SUPPORT_FREEMEMORY_H
#define FATHOM_SUPPORT_FREEMEMORY_H

namespace fathom {

/// Gives it back to the system, so that the resident size is what is in use. Works with glibc's
/// allocator and with jemalloc. Cost: milliseconds for a heap of gigabytes.
void giveBackFreeMemory();

} // namespace fathom
#endif
