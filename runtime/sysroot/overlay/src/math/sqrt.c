/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One instruction here and on the machine; musl's computes with integers, which no solver can turn
 * around. Both are the correctly rounded root.
 */
#include <math.h>

double sqrt(double x) { return __builtin_elementwise_sqrt(x); }
