// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations for headers that only pass a value on: a new enumerator then compiles few files
// again.
#ifndef FATHOM_EVIDENCE_FWD_H
#define FATHOM_EVIDENCE_FWD_H

#include <cstdint>

namespace fathom::evidence {

enum class BugKind : uint8_t;        ///< BugKind.h
enum class LedgerCategory : uint8_t; ///< LedgerCategory.h
enum class StepRole : uint8_t;       ///< StepRole.h

} // namespace fathom::evidence
#endif
