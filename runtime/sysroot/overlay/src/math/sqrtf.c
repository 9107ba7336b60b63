/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See sqrt.c.
 */
#include <math.h>

float sqrtf(float x) { return __builtin_elementwise_sqrt(x); }
