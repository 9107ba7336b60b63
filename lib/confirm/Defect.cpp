// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Defect.h"

#include "evidence/BugKind.h"

namespace fathom::confirm {

using evidence::BugKind;

bool Defect::isOfFreed() const {
  return means(BugKind::UseAfterFree) || means(BugKind::DoubleFree);
}

} // namespace fathom::confirm
