// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Version.h"

namespace fathom::report {

const char *const kVersion = FATHOM_VERSION;

} // namespace fathom::report
