/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * bench/programs/assertions/input.h for a fuzzer: numbers come from standard input, one byte for
 * each, or two if there are more than 256 of them. An input that is too short ends the program.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int input(int low, int high) {
  unsigned count = (unsigned)(high - low) + 1;
  int first = getchar(), second = count > 256 ? getchar() : 0;
  if (first < 0 || second < 0) exit(0);
  return low + (int)(((unsigned)first | (unsigned)second << 8) % count);
}
