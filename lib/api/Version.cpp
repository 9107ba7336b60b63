// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Version.h>

#include "report/Version.h"

namespace fathom::api {

const char *version() { return report::kVersion; }

} // namespace fathom::api
