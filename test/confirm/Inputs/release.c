// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
void release(int *box) { free(box); }
