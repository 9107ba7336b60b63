// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"
int shared(int x) { return x / 2; }
