/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A fuzz target that trusts a length; with -DREPAIRED it does not. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t table[4] = {1, 2, 3, 4};
  if (size < 3 || data[0] != 'F' || data[1] != 0xfe) return 0;
#ifdef REPAIRED
  if (data[2] >= sizeof table) return 0;
#endif
  if (data[2] >= sizeof table) abort();
  return table[data[2]] == 0;
}
