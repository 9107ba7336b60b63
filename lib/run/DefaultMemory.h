// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_DEFAULTMEMORY_H
#define FATHOM_RUN_DEFAULTMEMORY_H

#include "support/ProcFile.h"

namespace fathom::run {

/// What --max-memory is without the option: 70 % of what the kernel says is available.
inline uint64_t defaultMemory() { return procBytes("/proc/meminfo", "MemAvailable") / 10 * 7; }

} // namespace fathom::run
#endif
